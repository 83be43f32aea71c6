// The summary of a list of measured values, as numpy computes it: quantiles interpolate linearly between the two ranks nearest to
// (n - 1) p; the standard deviation is the population's (ddof = 0). NaN means "not measured" and is left out. Without values, n
// and sum are 0 and the rest is NaN. Values keep their unit. Cost: O(n log n) for sorting, O(1) per quantile.
// Source: numpy.quantile, method "linear"; verl's scripts.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace tv {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// A copy in rising order, without NaN.
std::vector<double> sorted_measured(std::span<const double> values);

/// `sorted` rises and has no NaN; 0 <= p <= 1. NaN without values.
double quantile(std::span<const double> sorted, double p);

struct Summary {
  std::size_t n = 0;
  double mean = kNotMeasured, median = kNotMeasured, std = kNotMeasured, min = kNotMeasured, max = kNotMeasured;
  double sum = 0;
  std::vector<double> quantiles;  ///< the requested ones, in the order of the request
};

Summary summarize(std::span<const double> values, std::span<const double> quantiles = {});
/// The same for the result of sorted_measured().
Summary summarize_sorted(std::span<const double> sorted, std::span<const double> quantiles = {});

/// The median of the distances to the median, not scaled: half of the values lie within this distance.
double median_absolute_deviation(std::span<const double> sorted);

}  // namespace tv
