#include "core/view/brush_command.h"

#include <cmath>

namespace tv {
namespace {

// What is in it: a nanosecond is the least that can be told apart.
Ns first_ns(double seconds) { return static_cast<Ns>(std::ceil(seconds * 1e9 - 1e-3)); }
Ns last_ns(double seconds) { return static_cast<Ns>(std::floor(seconds * 1e9 + 1e-3)); }

}  // namespace

Command brush_command(const Chart& chart, const ChartBrush& brush, const std::string& kind) {
  if (chart.slices_of != kNone<LabelId> && brush.x) {
    return command::BrushSlices{{chart.slices_of, first_ns(brush.x->first), last_ns(brush.x->second)}, kind};
  }
  if (chart.x.timeline && brush.x) {
    return command::SelectRange{{first_ns(brush.x->first), last_ns(brush.x->second)}, {}, kind};
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
