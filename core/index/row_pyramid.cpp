#include "core/index/row_pyramid.h"

#include <algorithm>
#include <cassert>

namespace tv {
namespace {

constexpr std::size_t nodes_over_slices(std::size_t n) { return (n + kSlicesPerNode - 1) / kSlicesPerNode; }
constexpr std::size_t nodes_over(std::size_t n) { return (n + kFanout - 1) / kFanout; }

PyramidNode summarize(const RowSlices& row, std::size_t first, std::size_t last) {
  const std::span<const Ns> begins = row.own_begins(), durations = row.own_durations();
  std::size_t longest = first;
  Ns busy = 0;
  for (std::size_t i = first; i < last; ++i) {
    busy += durations[i];
    if (durations[i] > durations[longest]) longest = i;
  }
  return {begins[first],
          begins[last - 1] + durations[last - 1],
          static_cast<float>(busy),
          static_cast<float>(durations[longest]),
          id_at<SegmentSlice>(idx(row.own_first()) + longest),
          row.own_labels()[longest]};
}

PyramidNode summarize(std::span<const PyramidNode> nodes) {
  PyramidNode sum = nodes.front();
  double busy = 0;
  for (const PyramidNode& node : nodes) {
    busy += static_cast<double>(node.busy);
    if (node.longest > sum.longest) {
      sum.longest = node.longest;
      sum.representative = node.representative;
      sum.label = node.label;
    }
  }
  sum.t1 = nodes.back().t1;
  sum.busy = static_cast<float>(busy);
  return sum;
}

}  // namespace

std::size_t pyramid_size(std::size_t slices) {
  if (slices <= kSlicesPerNode) return 0;
  std::size_t n = nodes_over_slices(slices), sum = n;
  while (n > kFanout) sum += n = nodes_over(n);
  return sum;
}

int RowPyramid::levels() const {
  if (slices_ <= kSlicesPerNode) return 0;
  int levels = 1;
  for (std::size_t n = nodes_over_slices(slices_); n > kFanout; n = nodes_over(n)) ++levels;
  return levels;
}

std::span<const PyramidNode> RowPyramid::level(int k) const {
  std::size_t first = 0, n = nodes_over_slices(slices_);
  for (; k > 0; --k) {
    first += n;
    n = nodes_over(n);
  }
  return nodes_.subspan(first, n);
}

void build_row_pyramid(const RowSlices& row, std::span<PyramidNode> out) {
  assert(out.size() == pyramid_size(row.size()));
  if (out.empty()) return;
  std::size_t n = nodes_over_slices(row.size());
  for (std::size_t node = 0; node < n; ++node) {
    const std::size_t first = node * kSlicesPerNode;
    out[node] = summarize(row, first, std::min(first + kSlicesPerNode, row.size()));
  }
  std::span<PyramidNode> below = out.first(n), rest = out.subspan(n);
  while (!rest.empty()) {
    n = nodes_over(below.size());
    for (std::size_t node = 0; node < n; ++node) {
      const std::size_t first = node * kFanout;
      rest[node] = summarize(below.subspan(first, std::min(kFanout, below.size() - first)));
    }
    below = rest.first(n);
    rest = rest.subspan(n);
  }
}

WholeRow whole_row(const IndexedRow& row) {
  const RowSlices& slices = row.slices;
  WholeRow whole;
  if (slices.size() == 0) return whole;
  whole.extent = {slices.begin(0), slices.end(slices.size() - 1)};
  const auto add = [&](float busy, float longest, LabelId label, SliceId representative) {
    whole.busy += busy;
    if (longest <= whole.longest) return;
    whole.longest = longest, whole.label = label, whole.representative = representative;
  };
  const int levels = row.pyramid.levels();
  if (levels == 0) {
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const auto length = static_cast<float>(slices.duration(i));
      add(length, length, slices.label(i), slices.id(i));
    }
    return whole;
  }
  // In a damaged mapped file, `representative` can be any number.
  const std::size_t first = idx(slices.own_first()), last = first + slices.size() - 1;
  for (const PyramidNode& node : row.pyramid.level(levels - 1)) {
    const auto representative = id_at<SegmentSlice>(std::clamp<std::size_t>(idx(node.representative), first, last));
    add(node.busy, node.longest, slices.placed().label_of(node.label), slices.placed().id_of(representative));
  }
  return whole;
}

}  // namespace tv
