// The correlation of two measured values: linear (Pearson), of ranks (Spearman; ties have their mean rank), and the least-squares
// line. Pairs with a NaN are left out. Invariant: coefficients lie in [-1, 1], or are NaN if one of the values does not vary or
// there are fewer than two pairs. Cost: O(n), O(n log n) for ranks. Source: scipy.stats.pearsonr, spearmanr, linregress.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/analysis/statistics/summary.h"

namespace tv {

struct Correlation {
  std::size_t n = 0;
  double pearson = kNotMeasured, spearman = kNotMeasured;
  double slope = kNotMeasured, intercept = kNotMeasured;  ///< y = intercept + slope x
};

/// x and y must have the same length.
Correlation correlate(std::span<const double> x, std::span<const double> y);

/// Ranks from 1; equal values have the mean of their ranks. `values` must have no NaN.
std::vector<double> ranks(std::span<const double> values);

}  // namespace tv
