#include "core/view/chart/chart_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text/csv_text.h"
#include "core/view/chart/chart_cell.h"

namespace tv {
namespace {

using Mark = ChartSeries::Mark;

constexpr std::string_view kEnd = "\r\n";

std::string number(double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); }

const std::string& category(const ChartAxis& axis, std::size_t at) {
  return at < axis.full_categories.size() ? axis.full_categories[at] : axis.categories[at];
}

std::string position(const ChartAxis& axis, double value) {
  const bool named = value >= 0 && value < static_cast<double>(axis.categories.size()) && value == std::floor(value);
  return named ? csv_field(category(axis, static_cast<std::size_t>(value))) : number(value);
}

// The title of an axis contains the unit, so it serves as the title of a column.
std::string title(const ChartAxis& axis, std::string_view otherwise) {
  const std::string& axis_title = axis.full_title.empty() ? axis.title : axis.full_title;
  return csv_field(axis_title.empty() ? otherwise : axis_title);
}

std::size_t values_per_x(Mark mark) { return mark == Mark::Boxes ? 5 : mark == Mark::Span ? 2 : 1; }

// The number of y columns that all series together need.
std::size_t value_columns(const Chart& chart) {
  std::size_t columns = 1;
  for (const ChartSeries& series : chart.series) columns = std::max(columns, values_per_x(series.mark));
  return columns;
}

// The index of a mark's value for a column. In a table of boxes, a point fills the median and a span the quartiles; in a table of
// spans, a point fills both ends.
std::optional<std::size_t> value_in_column(std::size_t column, std::size_t per_x, std::size_t columns) {
  if (per_x == columns) return column;
  if (columns == 2) return 0;
  if (per_x == 1 && column == 2) return 0;
  if (per_x == 2 && (column == 1 || column == 3)) return column / 2;
  return std::nullopt;
}

constexpr std::array<std::string_view, 2> kSpanTitles = {"from", "to"};
constexpr std::array<std::string_view, 5> kBoxTitles = {"least", "p25", "median", "p75", "most"};

void value_titles(const ChartAxis& axis, std::size_t columns, std::string& out) {
  if (columns == 1) out += "," + title(axis, "y");
  for (std::size_t k = 0; k < columns && columns > 1; ++k) {
    const std::string_view part = columns == kBoxTitles.size() ? kBoxTitles[k] : kSpanTitles[k];
    out += "," + (axis.title.empty() ? std::string(part) : csv_field(fmt::format("{}: {}", axis.title, part)));
  }
}

void marks(const Chart& chart, std::string& out) {
  const std::size_t columns = value_columns(chart);
  const ChartAxis &along = chart.horizontal ? chart.y : chart.x, &across = chart.horizontal ? chart.x : chart.y;
  out += "series," + title(along, "x");
  value_titles(across, columns, out);
  if (chart.y2) out += "," + title(*chart.y2, "y2");
  const auto names_marks = [](const ChartSeries& series) { return series.labels_are_names; };
  const bool labelled = std::ranges::any_of(chart.series, names_marks);
  if (labelled) out += ",label";
  out += kEnd;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const ChartSeries& series = chart.series[s];
    const bool on_y2 = chart.y2 && std::ranges::find(chart.on_y2, s) != chart.on_y2.end();
    const std::size_t per_x = values_per_x(series.mark), n = std::min(series.x.size(), series.y.size() / per_x);
    for (std::size_t i = 0; i < n; ++i) {
      out += csv_field(series.name) + "," + position(along, series.x[i]);
      for (std::size_t k = 0; k < columns; ++k) {
        out += ',';
        const auto value = value_in_column(k, per_x, columns);
        if (value && !on_y2) out += number(series.y[per_x * i + *value]);
      }
      if (chart.y2) out += "," + (on_y2 ? number(series.y[per_x * i]) : std::string());
      if (labelled) out += "," + (names_marks(series) && i < series.labels.size() ? csv_field(series.labels[i]) : std::string());
      out += kEnd;
    }
  }
}

void cells(const Chart& chart, std::string& out) {
  out += title(chart.y, "row") + "," + title(chart.x, "column") + "," +
         csv_field(chart.cells->name.empty() ? "value" : chart.cells->name);
  out += kEnd;
  const std::size_t columns = chart.x.categories.size(), rows = chart.y.categories.size();
  for (std::size_t cell = 0; cell < std::min(rows * columns, chart.cells->value.size()); ++cell) {
    out += csv_field(category(chart.y, cell / columns)) + "," + csv_field(category(chart.x, cell % columns)) + "," +
           number(chart.cells->value[cell]);
    out += kEnd;
  }
}

}  // namespace

std::string chart_csv(const Chart& chart) {
  if (chart.numbers) return table_csv(*chart.numbers);
  std::string out;
  if (chart.cells) {
    cells(chart, out);
  } else if (chart.series.empty() && chart.table) {
    return table_csv(*chart.table);
  } else {
    marks(chart, out);
  }
  return out;
}

std::string table_tsv(const ChartTable& table) {
  std::string out;
  const auto cell = [&out](std::size_t column, std::string text) {
    std::ranges::replace_if(text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    out += (column > 0 ? "\t" : "") + text;
  };
  const std::vector<std::string> titles = full_titles(table);
  for (std::size_t c = 0; c < titles.size(); ++c) cell(c, titles[c]);
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) cell(c, c < row.size() ? full_text(row[c]) : std::string());
    out += '\n';
  }
  return out;
}

std::string table_csv(const ChartTable& table) {
  std::string out;
  const std::vector<std::string> titles = full_titles(table);
  for (std::size_t c = 0; c < titles.size(); ++c) out += (c > 0 ? "," : "") + csv_field(titles[c]);
  out += kEnd;
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) out += ',';
      if (c < row.size()) out += csv_field(full_text(row[c]));
    }
    out += kEnd;
  }
  return out;
}

}  // namespace tv
