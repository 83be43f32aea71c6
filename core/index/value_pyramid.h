// The exact extremes of a counter over any range of samples: a 16-ary pyramid of {min, max}. A spike of one sample is never
// averaged away, however far one zooms out. The last value of a range needs no node: it is a sample of the series. Cost: 1.1 bytes
// per sample; a query visits at most 2 * 16 nodes per level. Nodes over values that an earlier pyramid covers are copied.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/memory/append_list.h"

namespace tv {

struct ValueRange {
  double min = 0, max = 0;
  bool operator==(const ValueRange&) const = default;
};

class ValuePyramid {
 public:
  /// `same`: the number of leading values from which `earlier` was built.
  static ValuePyramid build(const AppendList<double>& values, const ValuePyramid* earlier = nullptr, std::size_t same = 0);

  /// Over values[first, last), the same values the pyramid was built from; first < last.
  ValueRange range(const AppendList<double>& values, std::size_t first, std::size_t last) const;
  std::size_t bytes() const { return nodes_.size() * sizeof(ValueRange); }

 private:
  std::span<const ValueRange> level(std::size_t k) const {
    return std::span(nodes_).subspan(level_begins_[k], level_begins_[k + 1] - level_begins_[k]);
  }
  std::size_t levels() const { return level_begins_.size() - 1; }

  std::vector<ValueRange> nodes_;                ///< level 0 first
  std::vector<std::size_t> level_begins_ = {0};  ///< into nodes_, one more than the number of levels
};

}  // namespace tv
