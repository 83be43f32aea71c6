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

ValuePyramid ValuePyramid::build(const AppendList<double>& values, const ValuePyramid* earlier, std::size_t same) {
  ValuePyramid pyramid;
  // Copies the nodes of a level whose values are the same as in `earlier`, and computes the others with `add`.
  const auto add_level = [&](std::size_t below, auto&& add) {
    const std::size_t k = pyramid.levels();
    std::size_t first = 0;
    same /= kValuesPerNode;
    if (earlier && k < earlier->levels()) {
      const std::span<const ValueRange> known = earlier->level(k).first(std::min(same, earlier->level(k).size()));
      pyramid.nodes_.insert(pyramid.nodes_.end(), known.begin(), known.end());
      first = known.size() * kValuesPerNode;
    }
    for (; first < below; first += kValuesPerNode) {
      Extremes node;
      for (std::size_t i = first; i < std::min(first + kValuesPerNode, below); ++i) add(i, node);
      pyramid.nodes_.push_back(node.range());
    }
    pyramid.level_begins_.push_back(pyramid.nodes_.size());
  };
  if (values.size() <= kValuesPerNode) return pyramid;
  add_level(values.size(), [&](std::size_t i, Extremes& node) { node.add(values[i]); });
  for (;;) {
    const std::size_t begin = pyramid.level_begins_.end()[-2], nodes = pyramid.nodes_.size() - begin;
    if (nodes <= kValuesPerNode) return pyramid;
    add_level(nodes, [&](std::size_t i, Extremes& node) { node.add(pyramid.nodes_[begin + i]); });
  }
}

ValueRange ValuePyramid::range(const AppendList<double>& values, std::size_t first, std::size_t last) const {
  assert(first < last && last <= values.size());
  Extremes sum;
  // Adds the ragged ends of each level one by one, and the middle part on the level above.
  const auto add_ends = [&](auto&& at) {
    while (first < last && first % kValuesPerNode != 0) sum.add(at(first++));
    while (first < last && last % kValuesPerNode != 0) sum.add(at(--last));
  };
  const auto add_rest = [&](auto&& at) {
    while (first < last) sum.add(at(first++));
  };
  const auto value_at = [&](std::size_t i) { return values[i]; };
  if (levels() == 0) {
    add_rest(value_at);
    return sum.range();
  }
  add_ends(value_at);
  for (std::size_t level = 0; first < last; ++level) {
    first /= kValuesPerNode;
    last /= kValuesPerNode;
    const auto node_at = [&](std::size_t i) { return nodes_[level_begins_[level] + i]; };
    if (level + 1 == levels()) {
      add_rest(node_at);
    } else {
      add_ends(node_at);
    }
  }
  return sum.range();
}

}  // namespace tv
