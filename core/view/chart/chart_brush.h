// What has been singled out on a chart by dragging: a stretch of x, a box, or whatever a line has been drawn around;
// and the filter that says the same of requests (request_filter.h). Of a chart of slices, or one along the trace's time,
// it is slices by how long they are, or an area: brush_command.h.
// A chart of one step or worker shows the requests of it: what is brushed there are those (Chart::within).
// Which of them a chart knows follows from its axes: x alone has a field, or both do. Units of the axes. O(corners).
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

/// Empty when the chart's axes have no fields for it, or it lies beside everything.
std::string brush_filter(const Chart& chart, const ChartBrush& brush);

}  // namespace tv
