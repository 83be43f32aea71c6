// Formats numbers for axes and readouts of charts, and chooses the ticks of an axis. The distance of ticks is 1, 2 or 5 times a
// power of ten. A logarithmic axis has ticks at powers of ten, and at 2 and 5 times these if there is room.
//
//   seconds   0.5  1.0  1.5      with a unit if all are below a tenth of a second: 5 ms  10 ms
//   percent   0%  50%  100%      the value 50 means 50 %
//   counts    1,000  2,000       whole numbers only
#pragma once

#include <string>
#include <vector>

#include "core/view/chart/chart.h"

namespace tv {

struct ChartTick {
  double at;
  std::string label;
};

/// 2 to 12 ticks in [low, high], in ascending order; more than `most` only if the next coarser step would leave fewer than two.
/// Counts have fewer ticks if the range has fewer whole numbers. None if the range is empty, or too short for doubles to tell
/// ticks apart: below 1e-12 of its greatest value.
std::vector<ChartTick> chart_ticks(double low, double high, bool log, ChartUnit unit, int most);

/// Positions of thin lines between the ticks of a logarithmic axis: 2, 3 ... 9 times powers of ten. None if the range has more
/// than eight decades.
std::vector<double> chart_log_lines(double low, double high);

/// With the unit: "573 ms", "12.3 s", "45.6%", "12,345 tokens". Whole numbers have all digits, others four significant ones
/// and at least those before the point.
std::string chart_number(double value, ChartUnit unit);

/// Groups digits in threes: (1234567.5, 1) -> "1,234,567.5".
std::string chart_grouped(double value, int decimals);

/// "duration (s)" -> "duration", for readouts, where the unit follows the number.
std::string chart_title_without_unit(const ChartAxis& axis);

/// A position on the axis in words: its category ("worker 3"; with the axis's title if the category is a number: "step 46"), or
/// title and number ("duration 12.3 s").
std::string chart_position(const ChartAxis& axis, double value);

}  // namespace tv
