// How many values lie where: bins of equal width, or of equal ratio.
// Invariant: edges rise, one more than bins; a value on an edge belongs to the bin above it, the greatest to the last,
// as numpy.histogram has it. With bins of equal ratio, values that are not positive lie in none and are counted separately.
// Cost: O(bins log n). Source: numpy.histogram; numpy.geomspace for edges of equal ratio.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tv {

struct Histogram {
  std::vector<double> edges;
  std::vector<std::size_t> count;
  std::size_t not_positive = 0;
};

/// `sorted` rises and has no NaN. Empty if there is no value to bin; one value has a bin around it.
Histogram histogram(std::span<const double> sorted, std::size_t bins, bool equal_ratio);

/// Counts some of the values in the same bins. Values outside all bins lie in none.
std::vector<std::size_t> counts_in(const std::vector<double>& edges, std::span<const double> sorted);

}  // namespace tv
