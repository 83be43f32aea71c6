// Converts a time on the timeline to x in a chart whose x axis is time, and back, so that timeline and chart show the mouse at the
// same time. Cost: O(1); O(steps) if the axis has steps (ChartTime::stretches).
#pragma once

#include <optional>

#include "core/view/chart/chart.h"

namespace tv {

/// None if the x axis is not time, or no step contains `t`. The result may lie outside the range that the axis shows.
std::optional<double> chart_x_of_time(const Chart& chart, double t);
/// None if the x axis is not time. If the axis has steps, the begin of the step nearest to `x`.
std::optional<double> time_of_chart_x(const Chart& chart, double x);

}  // namespace tv
