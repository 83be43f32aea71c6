// One pointer over lanes and charts: where a time of the timeline is in a chart whose x axis is one of time, and the
// other way around. Cost: O(1), of steps O(steps).
#pragma once

#include <optional>

#include "core/view/chart/chart.h"

namespace tv {

/// None: the chart has no such axis, or nothing of it is at this time. Not clipped to what the axis shows.
std::optional<double> chart_x_of_time(const Chart& chart, double t);
/// For a step its begin.
std::optional<double> time_of_chart_x(const Chart& chart, double x);

}  // namespace tv
