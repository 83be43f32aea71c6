#include "core/view/picture/chart_time.h"

#include <algorithm>
#include <cmath>

namespace tv {

std::optional<double> chart_x_of_time(const Chart& chart, double t) {
  if (!chart.time) return std::nullopt;
  const ChartTime& time = *chart.time;
  if (time.stretches.empty()) return (t - time.begin) / time.ns_per_x;
  for (const ChartTime::Stretch& each : time.stretches) {
    if (t >= static_cast<double>(each.time.begin) && t < static_cast<double>(each.time.end)) return each.x;
  }
  return std::nullopt;
}

std::optional<double> time_of_chart_x(const Chart& chart, double x) {
  if (!chart.time) return std::nullopt;
  const ChartTime& time = *chart.time;
  if (time.stretches.empty()) return time.begin + x * time.ns_per_x;
  const auto nearest = std::ranges::min_element(time.stretches, {},
                                                [&](const ChartTime::Stretch& each) { return std::abs(each.x - x); });
  return static_cast<double>(nearest->time.begin);
}

}  // namespace tv
