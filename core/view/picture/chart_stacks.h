// Where bars begin and end, in the units of their axes: bars at the same x are stacked in the order of their series, positive and
// negative ones away from 0 in opposite directions; or they are side by side, each from 0, in slots. Cost: O(n log n) for n bars.
#pragma once

#include <cstdint>
#include <vector>

#include "core/view/picture/chart_picture.h"

namespace tv {

struct ChartBar {
  std::uint32_t series = 0, index = 0;
  double x = 0, from = 0, to = 0;
};

struct ChartSlots {
  double pitch = 1;               ///< between the middles of neighbouring bars
  std::size_t count = 1;          ///< number of bars next to each other at one x
  std::vector<std::size_t> slot;  ///< slot of each series
};

bool chart_on_y2(const Chart& chart, std::size_t series);
/// Number of points that have both an x and all of their y.
std::size_t chart_points(const ChartSeries& series);
/// All shown bars with a finite length.
std::vector<ChartBar> chart_bars(const Chart& chart, const ChartFrame& frame);
/// For bars and boxes. Stacked bars are in slot 0.
ChartSlots chart_slots(const Chart& chart, const ChartFrame& frame);

}  // namespace tv
