#include "core/view/keys/brush_command.h"

#include <algorithm>
#include <cmath>

namespace tv {
namespace {

// Rounds into the range; times have a resolution of one nanosecond.
Ns first_ns(double seconds) { return static_cast<Ns>(std::ceil(seconds * 1e9 - 1e-3)); }
Ns last_ns(double seconds) { return static_cast<Ns>(std::floor(seconds * 1e9 + 1e-3)); }

// If the categories of the axis are intervals, the time from the begin of the first to the end of the last.
ChartBrush::Stretch time_of(const ChartAxis& axis, const ChartBrush::Stretch& stretch) {
  const std::vector<double>& begins = axis.category_values;
  if (axis.categories.empty() || begins.size() < 2) return stretch;
  const auto at = [&](double category) {
    return static_cast<std::size_t>(std::clamp(category, 0.0, static_cast<double>(begins.size() - 1)));
  };
  return {begins[at(std::ceil(stretch.first))], begins[at(std::floor(stretch.second))] + (begins[1] - begins[0])};
}

}  // namespace

Command brush_command(const Chart& chart, const ChartBrush& brush, const std::string& kind) {
  if (chart.slices_of != kNone<LabelId> && brush.x) {
    return command::BrushSlices{{chart.slices_of, first_ns(brush.x->first), last_ns(brush.x->second)}, kind};
  }
  if (chart.x.timeline && brush.x) {
    const ChartBrush::Stretch time = time_of(chart.x, *brush.x);
    return command::SelectRange{{first_ns(time.first), last_ns(time.second)}, {}, kind};
  }
  return command::BrushRequests{brush_filter(chart, brush), kind};
}

std::optional<ChartBrush> brush_of(const Chart& chart, const SliceBrush& slices) {
  if (chart.slices_of == kNone<LabelId> || chart.slices_of != slices.label) return std::nullopt;
  ChartBrush brush;
  brush.x = {to_seconds(slices.least), to_seconds(slices.most)};
  return brush;
}

}  // namespace tv
