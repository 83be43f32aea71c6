// Exact extremes of a counter over any stretch of samples: a 16-ary pyramid of {min, max}. A spike of one
// sample is never averaged away, however far one zooms out. The last value of a stretch needs no node: it is
// the series' own sample. Cost: 1.1 bytes per sample; a query visits at most 2 * 16 nodes per level.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tv {

struct ValueRange {
  double min = 0, max = 0;
  bool operator==(const ValueRange&) const = default;
};

class ValuePyramid {
 public:
  static ValuePyramid build(std::span<const double> values);

  /// Over values[first, last), the same values the pyramid was built from; first < last.
  ValueRange range(std::span<const double> values, std::size_t first, std::size_t last) const;
  std::size_t bytes() const { return nodes_.size() * sizeof(ValueRange); }

 private:
  std::vector<ValueRange> nodes_;          ///< level 0 first
  std::vector<std::size_t> level_begins_;  ///< into nodes_, one more than there are levels
};

}  // namespace tv
