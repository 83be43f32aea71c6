// Formats numbers for axes and readouts of charts, and chooses the ticks of an axis. Steps are 1, 2 or 5 times a power of ten; on
// a logarithmic axis powers of ten, and 2 and 5 between them if there is room.
//
//   seconds   0.5  1.0  1.5      below a tenth of a second with their unit: 5 ms  10 ms
//   percent   0%  50%  100%      50 is 50 %
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

/// 2 to 12 ticks in [low, high], in order: at most `most`, but at least two; for counts fewer if the range has fewer whole
/// numbers. None if the range is empty, or shorter than 1e-12 of its distance from 0.
std::vector<ChartTick> chart_ticks(double low, double high, bool log, ChartUnit unit, int most);

/// 2, 3 ... 9 times the powers of ten in the range, for thin lines; none over more than eight decades.
std::vector<double> chart_log_lines(double low, double high);

/// Four significant digits with the unit: "573 ms", "12.3 s", "1,234 s", "45.6%", "1,234 tokens".
std::string chart_number(double value, ChartUnit unit);

/// Digits in groups of three: 1234567.5, 1 -> "1,234,567.5".
std::string chart_grouped(double value, int decimals);

/// "duration (s)" -> "duration": in readouts the unit follows the number.
std::string chart_title_without_unit(const ChartAxis& axis);

/// A position on the axis: its category ("worker 3"; "step 46" for a category that is only a number), or title and number:
/// "duration 12.3 s".
std::string chart_position(const ChartAxis& axis, double value);

}  // namespace tv
