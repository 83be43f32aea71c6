// How long steps of a run usually take, and which of them stand out: those that exceed the median by more than 3 median absolute
// deviations and by more than a tenth. The tenth is needed because the deviation is nearly 0 if most steps end at the same limit.
// With fewer than four steps, none stands out. The same rule applies to rollouts, logs, profilers and pipelines, in charts, the
// step strip and sentences. Unit: that of the values; NaN does not count as a value. Cost: O(n log n).
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "core/analysis/statistics/summary.h"

namespace tv {

/// A fraction of the usual length. A step that exceeds the usual length by less does not stand out and is not a finding.
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
  /// For a value that stands out, its ratio to the median; else 0.
  double factor(double value) const { return stands_out(value) && median_ > 0 ? value / median_ : 0; }

 private:
  double median_ = 0, limit_ = std::numeric_limits<double>::infinity();
};

}  // namespace tv
