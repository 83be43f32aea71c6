// Converts values to pixels and back, for one axis of a chart. Whatever the data are, the range of a scale has a positive length,
// and on a logarithmic scale both ends are positive, so nothing is divided by zero.
#pragma once

#include <cmath>
#include <span>

#include "core/view/chart/chart.h"

namespace tv {

/// The least and the greatest value that an axis must show. NaN, infinities and, on a logarithmic axis, values that are not
/// positive cannot be drawn and are ignored.
class ChartExtent {
 public:
  explicit ChartExtent(bool log = false) : log_(log) {}
  void add(double value) {
    if (!shows(value)) return;
    low_ = any_ ? std::fmin(low_, value) : value;
    high_ = any_ ? std::fmax(high_, value) : value;
    any_ = true;
  }
  void add(std::span<const double> values) {
    for (const double value : values) add(value);
  }
  bool shows(double value) const { return std::fabs(value) <= 1e300 && (!log_ || value >= 1e-300); }
  bool any() const { return any_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_ = 0, high_ = 0;
  bool log_, any_ = false;
};

struct ChartRange {
  double low = 0, high = 1;
};

/// Where the axis begins and ends: at the fixed ends, or at those of the data plus `room` (a share of the range) on each side. It
/// begins at 0 if the least value is positive, but below `near_zero` times the greatest. Categories: from half a category before
/// the first to half of one after the last.
ChartRange chart_range(const ChartAxis& axis, const ChartExtent& extent, double room, double near_zero);

class ChartScale {
 public:
  ChartScale() = default;
  /// `range` as returned by chart_range; `from` and `to` in pixels, in either order.
  ChartScale(ChartRange range, bool log, float from, float to);

  /// NaN for a value that cannot be on the axis. The result is limited to ten million pixels.
  float px(double value) const;
  double value(float px) const;
  /// px(), but values beyond the ends of the axis are at its nearer end.
  float px_clamped(double value) const;

  double low() const { return range_.low; }
  double high() const { return range_.high; }
  bool log() const { return log_; }
  float from() const { return from_; }
  float to() const { return to_; }

 private:
  ChartRange range_;
  bool log_ = false;
  float from_ = 0, to_ = 1;
  double base_ = 0, per_px_ = 1, px_per_ = 1;  // in logarithms on a logarithmic scale
};

}  // namespace tv
