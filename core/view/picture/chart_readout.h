// The values of a chart's lines at a position, interpolated between points in the same way as they are drawn. Only for charts whose
// series lie along the x axis. Cost: O(log n) per line whose x are sorted, else O(n).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/view/picture/chart_picture.h"

namespace tv {

/// The line's value; none before its first point, after its last and in gaps. On logarithmic axes it is interpolated in the
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
/// For the shown lines that have a value at the pixel column; on an axis of categories or counts, at the nearest of these.
ChartReadout chart_readout(const Chart& chart, const ChartPicture& picture, const std::vector<bool>& hidden, float px);

}  // namespace tv
