// Converts a time on the timeline to x in a chart whose x axis is time, and back, so that both show the same pointer. Cost: O(1);
// O(steps) if the axis has steps.
#pragma once

#include <optional>

#include "core/view/chart/chart.h"

namespace tv {

/// None if the chart has no such axis, or has nothing at this time. Not clipped to the range that the axis shows.
std::optional<double> chart_x_of_time(const Chart& chart, double t);
/// For a step, its begin.
std::optional<double> time_of_chart_x(const Chart& chart, double x);

}  // namespace tv
