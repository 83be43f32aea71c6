// What steps of a run usually take, and which of them stand out: those more than 3 median absolute deviations over the
// median, and a tenth of it, since where most steps end by one limit the deviation is next to nothing. Of fewer than
// four nothing is usual. One rule for rollouts, logs, profilers and pipelines, in charts, the step strip and sentences.
// Unit: that of the values; NaN is no value. Cost: O(n log n).
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "core/analysis/statistics/summary.h"

namespace tv {

/// Of the usual: what is less far over it does not stand out, and is no finding.
inline constexpr double kLeastOver = 0.1;

class UsualLength {
 public:
  explicit UsualLength(const std::vector<double>& values) {
    constexpr double kDeviations = 3;
    const std::vector<double> sorted = sorted_measured(values);
    if (sorted.empty()) return;
    median_ = quantile(sorted, 0.5);
    if (sorted.size() < 4) return;
    limit_ = std::max(median_ + kDeviations * median_absolute_deviation(sorted), median_ * (1 + kLeastOver));
  }

  double median() const { return median_; }
  bool stands_out(double value) const { return value > limit_; }
  /// How many times the median a value that stands out is; else 0.
  double factor(double value) const { return stands_out(value) && median_ > 0 ? value / median_ : 0; }

 private:
  double median_ = 0, limit_ = std::numeric_limits<double>::infinity();
};

}  // namespace tv
