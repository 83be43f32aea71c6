#include "core/view/chart_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tv {
namespace {

using Mark = ChartSeries::Mark;

constexpr std::string_view kEnd = "\r\n";

std::string number(double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); }

std::string position(const ChartAxis& axis, double value) {
  const bool named = value >= 0 && value < static_cast<double>(axis.categories.size()) && value == std::floor(value);
  return named ? csv_field(axis.categories[static_cast<std::size_t>(value)]) : number(value);
}

std::size_t values_per_x(Mark mark) { return mark == Mark::Boxes ? 5 : mark == Mark::Span ? 2 : 1; }

// The columns of y: what all series together need.
std::size_t value_columns(const Chart& chart) {
  std::size_t columns = 1;
  for (const ChartSeries& series : chart.series) columns = std::max(columns, values_per_x(series.mark));
  return columns;
}

// Which value of a mark stands in a column: beside boxes a point is a median and a span two quartiles, beside spans a point is
// both ends.
std::optional<std::size_t> value_in_column(std::size_t column, std::size_t per_x, std::size_t columns) {
  if (per_x == columns) return column;
  if (columns == 2) return 0;
  if (per_x == 1 && column == 2) return 0;
  if (per_x == 2 && (column == 1 || column == 3)) return column / 2;
  return std::nullopt;
}

void marks(const Chart& chart, std::string& out) {
  const std::size_t columns = value_columns(chart);
  constexpr std::array<std::string_view, 6> kNames = {"", "y", "from,to", "", "", "least,p25,median,p75,most"};
  out += "series,x,";
  out += kNames[columns];
  const bool labelled =
      std::any_of(chart.series.begin(), chart.series.end(), [](const auto& s) { return !s.labels.empty(); });
  if (labelled) out += ",label";
  out += kEnd;
  const ChartAxis& along = chart.horizontal ? chart.y : chart.x;
  for (const ChartSeries& series : chart.series) {
    const std::size_t per_x = values_per_x(series.mark), n = std::min(series.x.size(), series.y.size() / per_x);
    for (std::size_t i = 0; i < n; ++i) {
      out += csv_field(series.name) + "," + position(along, series.x[i]);
      for (std::size_t k = 0; k < columns; ++k) {
        out += ',';
        if (const auto of = value_in_column(k, per_x, columns)) out += number(series.y[per_x * i + *of]);
      }
      if (labelled) out += "," + (i < series.labels.size() ? csv_field(series.labels[i]) : std::string());
      out += kEnd;
    }
  }
}

void cells(const Chart& chart, std::string& out) {
  out += "row,column,value";
  out += kEnd;
  const std::size_t columns = chart.x.categories.size(), rows = chart.y.categories.size();
  for (std::size_t cell = 0; cell < std::min(rows * columns, chart.cells->value.size()); ++cell) {
    out += csv_field(chart.y.categories[cell / columns]) + "," + csv_field(chart.x.categories[cell % columns]) + "," +
           number(chart.cells->value[cell]);
    out += kEnd;
  }
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string chart_csv(const Chart& chart) {
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
  for (std::size_t c = 0; c < table.columns.size(); ++c) cell(c, table.columns[c].title);
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) cell(c, c < row.size() ? row[c] : std::string());
    out += '\n';
  }
  return out;
}

std::string table_csv(const ChartTable& table) {
  std::string out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) out += (c > 0 ? "," : "") + csv_field(table.columns[c].title);
  out += kEnd;
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) out += ',';
      if (c < row.size()) out += csv_field(row[c]);
    }
    out += kEnd;
  }
  return out;
}

}  // namespace tv
