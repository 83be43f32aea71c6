// A brush is a selection by dragging on a chart: a stretch of x, a box or a lasso. On a chart of requests, brush_filter() makes it
// a filter of requests (request_filter.h); if the chart shows one step or worker, it selects only among their requests
// (Chart::within). On a chart of slices a brush selects slices by their length, on a chart along the trace's time an area
// (brush_command.h). A stretch needs a field on its axis, a box or lasso one on both axes. Units: those of the axes. Cost:
// O(corners).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/view/chart/chart.h"

namespace tv {

struct ChartBrush {
  using Stretch = std::pair<double, double>;  ///< low before high
  std::optional<Stretch> x, y;
  std::vector<std::pair<double, double>> lasso;  ///< corners; x and y are not set then
  bool operator==(const ChartBrush&) const = default;
};

inline bool brushes_along_x(const Chart& chart) {
  return !chart.x.field.empty() || chart.x.timeline || chart.slices_of != kNone<LabelId>;
}
inline bool brushes_both(const Chart& chart) { return !chart.x.field.empty() && !chart.y.field.empty(); }

/// The filter of the brushed requests. Empty if the axes have no fields for the brush, or if it contains no category of an axis.
std::string brush_filter(const Chart& chart, const ChartBrush& brush);

}  // namespace tv
