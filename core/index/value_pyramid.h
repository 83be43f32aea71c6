// Finds the exact extremes of a counter in any range of samples, with a pyramid whose nodes hold the minimum and maximum of 16
// children. So a spike of one sample stays visible at any zoom. Nodes whose values are the same as in an earlier pyramid are
// copied from it.
// Cost: 1.1 bytes per sample; a query visits at most 2 * 16 nodes per level.
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
  /// `same`: the number of leading values that `earlier` was built from, too.
  static ValuePyramid build(const AppendList<double>& values, const ValuePyramid* earlier = nullptr, std::size_t same = 0);

  /// The extremes of values[first, last). `values`: those that the pyramid was built from; first < last.
  ValueRange range(const AppendList<double>& values, std::size_t first, std::size_t last) const;
  std::size_t bytes() const { return nodes_.size() * sizeof(ValueRange); }

 private:
  std::span<const ValueRange> level(std::size_t k) const {
    return std::span(nodes_).subspan(level_begins_[k], level_begins_[k + 1] - level_begins_[k]);
  }
  std::size_t levels() const { return level_begins_.size() - 1; }

  std::vector<ValueRange> nodes_;                ///< level 0 first
  std::vector<std::size_t> level_begins_ = {0};  ///< by level, and one past the last: the index of its first node
};

}  // namespace tv
