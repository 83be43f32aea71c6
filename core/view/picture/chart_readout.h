// The values of a chart at a place: those of its lines, between their points as the line is drawn. Only for charts whose
// series lie along the x axis. Cost: O(log n) per line whose x are sorted, else O(n).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/view/picture/chart_picture.h"

namespace tv {

/// The line's value; nothing before its first point, after its last and in gaps. On logarithmic axes lines are straight in the
/// logarithms.
std::optional<double> chart_value_at(const ChartSeries& series, double x, bool log_x = false, bool log_y = false);

struct ChartReading {
  std::size_t series;
  double value;
  float x, y;        ///< pixels
  std::string text;  ///< "engine 12.3 s"
};

struct ChartReadout {
  std::string at;  ///< the position along x: "duration 3.2 s"
  std::vector<ChartReading> lines;
};
/// For the lines that are shown and have a value at the pixel column; on an axis with categories at the nearest one.
ChartReadout chart_readout(const Chart& chart, const ChartPicture& picture, const std::vector<bool>& hidden, float px);

}  // namespace tv
