#include "core/index/value_pyramid.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace tv {
namespace {

constexpr std::size_t kValuesPerNode = 16;

class Extremes {
 public:
  void add(double value) { add({value, value}); }
  void add(const ValueRange& range) {
    range_.min = std::min(range_.min, range.min);
    range_.max = std::max(range_.max, range.max);
  }
  const ValueRange& range() const { return range_; }

 private:
  ValueRange range_{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
};

}  // namespace

ValuePyramid ValuePyramid::build(std::span<const double> values) {
  ValuePyramid pyramid;
  pyramid.level_begins_.push_back(0);
  const auto close_level = [&] { pyramid.level_begins_.push_back(pyramid.nodes_.size()); };
  if (values.size() <= kValuesPerNode) return pyramid;
  for (std::size_t first = 0; first < values.size(); first += kValuesPerNode) {
    Extremes node;
    const std::size_t n = std::min(kValuesPerNode, values.size() - first);
    for (const double value : values.subspan(first, n)) node.add(value);
    pyramid.nodes_.push_back(node.range());
  }
  close_level();
  for (;;) {
    const std::size_t begin = pyramid.level_begins_.end()[-2], end = pyramid.nodes_.size();
    if (end - begin <= kValuesPerNode) return pyramid;
    for (std::size_t first = begin; first < end; first += kValuesPerNode) {
      Extremes node;
      for (std::size_t i = first; i < std::min(first + kValuesPerNode, end); ++i) node.add(pyramid.nodes_[i]);
      pyramid.nodes_.push_back(node.range());
    }
    close_level();
  }
}

ValueRange ValuePyramid::range(std::span<const double> values, std::size_t first, std::size_t last) const {
  assert(first < last && last <= values.size());
  Extremes sum;
  // The ragged ends of each level are added one by one; what is between them, on the level above.
  const auto add_ends = [&](auto&& at) {
    while (first < last && first % kValuesPerNode != 0) sum.add(at(first++));
    while (first < last && last % kValuesPerNode != 0) sum.add(at(--last));
  };
  const std::size_t levels = level_begins_.size() - 1;
  const auto add_rest = [&](auto&& at) {
    while (first < last) sum.add(at(first++));
  };
  const auto value_at = [&](std::size_t i) { return values[i]; };
  if (levels == 0) {
    add_rest(value_at);
    return sum.range();
  }
  add_ends(value_at);
  for (std::size_t level = 0; first < last; ++level) {
    first /= kValuesPerNode;
    last /= kValuesPerNode;
    const auto node_at = [&](std::size_t i) { return nodes_[level_begins_[level] + i]; };
    if (level + 1 == levels) {
      add_rest(node_at);
    } else {
      add_ends(node_at);
    }
  }
  return sum.range();
}

}  // namespace tv
