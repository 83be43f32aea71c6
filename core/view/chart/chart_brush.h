// A selection by dragging on a chart: a stretch of x, a box, or a lasso; and the filter that selects the same requests
// (request_filter.h). On a chart of slices it selects slices by their length, on a chart along the trace's time an area
// (brush_command.h). A chart of one step or worker shows its requests, and a brush selects among those (Chart::within). The axes
// decide which of these a chart supports: either x alone has a field, or both axes do. Units: those of the axes. Cost:
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

/// Empty if the chart's axes have no fields for it, or if it contains no category of one of them.
std::string brush_filter(const Chart& chart, const ChartBrush& brush);

}  // namespace tv
