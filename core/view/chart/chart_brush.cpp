#include "core/view/chart/chart_brush.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/filter/request_filter.h"

namespace tv {
namespace {

// Replaces names by their values, if the axis has names.
std::optional<ChartBrush::Stretch> values_within(const ChartAxis& axis, const ChartBrush::Stretch& stretch) {
  if (axis.categories.empty()) return stretch;
  std::optional<ChartBrush::Stretch> out;
  for (std::size_t c = 0; c < axis.category_values.size(); ++c) {
    const auto at = static_cast<double>(c);
    if (at < stretch.first || at > stretch.second) continue;
    const double value = axis.category_values[c];
    out = out ? ChartBrush::Stretch{std::min(out->first, value), std::max(out->second, value)}
              : ChartBrush::Stretch{value, value};
  }
  return out;
}

// Returns an empty text if the axis restricts nothing, and none if no category of the axis is brushed.
std::optional<std::string> stretch_filter(const ChartAxis& axis, const std::optional<ChartBrush::Stretch>& stretch) {
  if (!stretch || axis.field.empty()) return std::string();
  const auto values = values_within(axis, *stretch);
  if (!values) return std::nullopt;
  return range_filter(axis.field, values->first, values->second);
}

}  // namespace

std::string brush_filter(const Chart& chart, const ChartBrush& brush) {
  if (brush.lasso.empty()) {
    const auto x = stretch_filter(chart.x, brush.x), y = stretch_filter(chart.y, brush.y);
    const std::string brushed = x && y ? both_filters(*x, *y) : std::string();
    return brushed.empty() ? brushed : both_filters(chart.within, brushed);
  }
  if (!brushes_both(chart) || brush.lasso.size() < 3) return {};
  // A hand is less exact than four digits, so the filter stays short.
  std::string out = fmt::format("inside({}, {}", chart.x.field, chart.y.field);
  for (const auto& [x, y] : brush.lasso) out += fmt::format(", {:.4g}, {:.4g}", x, y);
  return both_filters(chart.within, out + ")");
}

}  // namespace tv
