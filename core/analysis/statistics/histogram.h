// The number of values in each bin; bins have equal width or equal ratio.
// Invariant: edges rise; there is one more edge than bins. A value on an edge belongs to the bin above it, and the greatest value
// to the last bin, as in numpy.histogram. Bins of equal ratio contain only positive values; the others are counted separately.
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

/// `sorted` rises and has no NaN. Empty if there is no value to count; if all values are equal, the bins lie around them.
Histogram histogram(std::span<const double> sorted, std::size_t bins, bool equal_ratio);

/// Counts other values in the bins of a histogram. Values outside the bins are not counted.
std::vector<std::size_t> counts_in(const std::vector<double>& edges, std::span<const double> sorted);

}  // namespace tv
