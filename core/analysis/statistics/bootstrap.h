// Confidence intervals for the difference of two samples' statistics, by percentile bootstrap. Both samples are resampled with
// replacement, many times; the interval is the middle 95 % of the differences. Values are taken as independent. Requests of one
// step share workers and engines, so real intervals are somewhat wider.
//
// A quantile does not require drawing n values. The k-th smallest of n draws from a sorted sample is the value at index n U,
// where U, the k-th smallest of n uniform numbers, is Beta(k, n - k + 1): the same distribution in constant time, for any n. A
// mean of up to kDrawnMeans values is drawn value by value; a mean of more values is drawn from its normal approximation.
// Invariant: the same input and seed give the same result on every machine, up to the last bit of log, sqrt and pow.
// Cost: O(resamples) per quantile, O(n x resamples) per mean, 2 ns each; 0.02 s for all of compare.h with 4,096 values on each
// side, less beyond kDrawnMeans.
// Source: Efron and Tibshirani 1993, chapters 13 and 14; order statistics of uniform samples.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tv {

struct Interval {
  double low = 0, high = 0;
  bool contains(double x) const { return low <= x && x <= high; }
};

inline constexpr std::size_t kDrawnMeans = 5000;

struct BootstrapOptions {
  std::size_t resamples = 1000;
  std::uint64_t seed = 1;
};

/// The differences that resampling gives, in rising order.
using DrawnDeltas = std::vector<double>;
/// For quantile(b, p) - quantile(a, p). Both samples must be sorted and not empty.
DrawnDeltas quantile_deltas(std::span<const double> a, std::span<const double> b, double p,
                            const BootstrapOptions& options);
/// For mean(b) - mean(a). Both samples must not be empty.
DrawnDeltas mean_deltas(std::span<const double> a, std::span<const double> b, const BootstrapOptions& options);

/// The middle of the differences: level 0.95 leaves out 2.5 % at each end.
Interval middle_of(const DrawnDeltas& deltas, double level);

}  // namespace tv
