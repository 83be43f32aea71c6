#include "core/view/picture/chart_as_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/view/chart/chart_cell.h"
#include "core/view/picture/chart_stacks.h"
#include "core/view/picture/chart_ticks.h"

namespace tv {
namespace {

using Mark = ChartSeries::Mark;

constexpr std::size_t kMostSeries = 24;  // with more series, points become rows

ChartCell value_cell(double value, ChartUnit unit) {
  if (!std::isfinite(value)) return {"-", std::nan("")};
  if (unit == ChartUnit::Seconds) return {chart_number(value, unit), value, "s"};
  if (unit == ChartUnit::Percent) return {chart_number(value, unit), value, "%"};
  return {chart_number(value, ChartUnit::None), value};
}

ChartCell place_cell(const ChartAxis& axis, double at) {
  const bool named = at >= 0 && at < static_cast<double>(axis.categories.size()) && at == std::floor(at);
  if (!named) return value_cell(at, axis.unit);
  const auto index = static_cast<std::size_t>(at);
  const std::string& name = axis.categories[index];
  return {name, index < axis.full_categories.size() ? axis.full_categories[index] : name};
}

std::string axis_name(const ChartAxis& axis, std::string_view otherwise) {
  const std::string name = chart_title_without_unit(axis);
  return name.empty() ? std::string(otherwise) : name;
}

std::vector<std::string_view> parts_of(Mark mark) {
  if (mark == Mark::Boxes) return {"least", "p25", "median", "p75", "most"};
  if (mark == Mark::Span) return {"from", "to"};
  return {""};
}

const ChartAxis& across_axis(const Chart& chart, std::size_t series) {
  return chart_on_y2(chart, series) ? *chart.y2 : chart.horizontal ? chart.x : chart.y;
}

// Whether one row per position suits the chart: it has no dots and few series, which share most positions. One series suits if its
// positions differ.
bool places_are_shared(const Chart& chart) {
  std::map<double, std::size_t> positions;
  std::size_t points = 0;
  for (const ChartSeries& series : chart.series) {
    if (series.mark == Mark::Dots) return false;
    for (std::size_t i = 0; i < chart_points(series); ++i) ++positions[series.x[i]];
    points += chart_points(series);
  }
  if (chart.series.size() > kMostSeries) return false;
  return chart.series.size() == 1 ? positions.size() == points : positions.size() * 3 <= points * 2;
}

ChartTable by_place(const Chart& chart) {
  const ChartAxis& along = chart.horizontal ? chart.y : chart.x;
  ChartTable table;
  table.columns = {{axis_name(along, "x"), along.categories.empty()}};
  std::map<double, std::size_t> row_of;
  for (const ChartSeries& series : chart.series) {
    for (std::size_t i = 0; i < chart_points(series); ++i) row_of.emplace(series.x[i], 0);
  }
  for (auto& [at, row] : row_of) {
    row = table.rows.size();
    table.rows.push_back({place_cell(along, at)});
  }
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const ChartSeries& series = chart.series[s];
    const ChartAxis& across = across_axis(chart, s);
    const std::vector<std::string_view> parts = parts_of(series.mark);
    const std::string name = series.name.empty() ? axis_name(across, "value") : series.name;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      table.columns.push_back({parts.size() == 1 ? name : fmt::format("{}: {}", name, parts[p]), true});
      for (auto& row : table.rows) row.push_back(value_cell(std::nan(""), across.unit));
      for (std::size_t i = 0; i < chart_points(series); ++i) {
        table.rows[row_of.at(series.x[i])].back() = value_cell(series.y[parts.size() * i + p], across.unit);
      }
    }
  }
  // Missing values get the unit of their column.
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::string_view unit;
    for (const auto& row : table.rows) unit = row[c].unit.empty() ? unit : row[c].unit;
    for (auto& row : table.rows) row[c].unit = unit;
  }
  return table;
}

ChartTable by_point(const Chart& chart) {
  const ChartAxis &along = chart.horizontal ? chart.y : chart.x, &across = chart.horizontal ? chart.x : chart.y;
  ChartTable table;
  table.columns = {{"series"}, {axis_name(along, "x"), along.categories.empty()}, {axis_name(across, "y"), true}};
  for (const ChartSeries& series : chart.series) {
    const std::size_t parts = parts_of(series.mark).size();
    for (std::size_t i = 0; i < chart_points(series); ++i) {
      table.rows.push_back({series.name, place_cell(along, series.x[i]), value_cell(series.y[parts * i], across.unit)});
      if (std::isnan(series.y[parts * i]) && across.unit == ChartUnit::Seconds) table.rows.back().back().unit = "s";
      if (std::isnan(series.y[parts * i]) && across.unit == ChartUnit::Percent) table.rows.back().back().unit = "%";
    }
  }
  return table;
}

ChartTable grid(const Chart& chart) {
  const bool down_x = chart.x.categories.size() > chart.y.categories.size();
  const ChartAxis &down = down_x ? chart.x : chart.y, &right = down_x ? chart.y : chart.x;
  const std::size_t columns = chart.x.categories.size();
  ChartTable table;
  table.columns = {
      {fmt::format("{} by {}", chart.cells->name.empty() ? "value" : chart.cells->name, axis_name(down, "row"))}};
  for (const std::string& name : right.categories) table.columns.push_back({name, true});
  for (std::size_t r = 0; r < down.categories.size(); ++r) {
    std::vector<ChartCell>& row = table.rows.emplace_back();
    row.push_back(place_cell(down, static_cast<double>(r)));
    for (std::size_t c = 0; c < right.categories.size(); ++c) {
      const std::size_t cell = down_x ? c * columns + r : r * columns + c;
      row.push_back(
          value_cell(cell < chart.cells->value.size() ? chart.cells->value[cell] : std::nan(""), ChartUnit::None));
    }
  }
  return table;
}

}  // namespace

ChartRows chart_as_table(const Chart& chart) {
  if (chart.table) return {*chart.table, false};
  if (chart.numbers) return {*chart.numbers, false};
  if (chart.cells) return {grid(chart), false};
  if (chart.series.empty()) return {};
  return places_are_shared(chart) ? ChartRows{by_place(chart), false} : ChartRows{by_point(chart), true};
}

}  // namespace tv
