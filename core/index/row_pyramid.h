// A row at every zoom: a pyramid of self-contained summaries over the slices of one row.
//
//   level 1   ┌─────────── node: 4 nodes of level 0 ───────────┐ ...
//   level 0   ┌ node: 8 slices ┐┌ node ┐┌ node ┐┌ node ┐ ...
//   slices    ▬ ▬▬▬ ▬  ▬▬ ▬▬▬▬▬▬ ▬  ▬▬▬▬  ▬ ▬ ▬▬
//
// Slices of a row never overlap, so a node's busy time is a plain sum and its time span is [begin of its first slice, end of its
// last]. Drawing a node does not read its children; two nodes share a cache line. Levels end when at most kFanout nodes are left; a
// row of up to kSlicesPerNode slices has no levels at all.
//
// kFanout and kSlicesPerNode set the cost of a pixel at the worst zoom, where every node is just over a pixel wide and opened: 4
// nodes or 8 slices. Smaller ones would take more than 5.5 bytes per slice. Cost: 5.3 bytes and a few nanoseconds per slice to
// build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/store/trace/trace.h"

namespace tv {

inline constexpr std::size_t kSlicesPerNode = 8;  ///< in a node of level 0
inline constexpr std::size_t kFanout = 4;         ///< nodes below a node of any other level

/// In the segment's own time, slices and labels.
struct PyramidNode {
  Ns t0 = 0, t1 = 0;   ///< begin of the first slice, end of the last
  float busy = 0;      ///< sum of the durations, ns
  float longest = 0;   ///< ns
  SegmentSlice representative{};  ///< the longest slice, the first of equal ones; never none
  LabelId label{};     ///< its label
};
static_assert(sizeof(PyramidNode) == 32);

/// The number of nodes that a row of `slices` slices takes on all levels.
std::size_t pyramid_size(std::size_t slices);

/// A view of one row's nodes, level 0 first. The nodes belong to the SegmentIndex.
class RowPyramid {
 public:
  RowPyramid() = default;
  RowPyramid(std::span<const PyramidNode> nodes, std::size_t slices) : nodes_(nodes), slices_(slices) {}

  /// 0 if the row is so short that its slices are read directly.
  int levels() const;
  std::span<const PyramidNode> level(int k) const;
  std::size_t slices() const { return slices_; }

 private:
  std::span<const PyramidNode> nodes_;
  std::size_t slices_ = 0;
};

/// A row with its pyramid: the input of visible() and OverviewBuilder.
struct IndexedRow {
  RowSlices slices;
  RowPyramid pyramid;
};

/// A whole row as one node, in the view's times, labels and ids, for rows narrower than a pixel. For a line that many segments
/// share, these are read instead of the segments (timeline_frame.h).
struct WholeRow {
  TimeRange extent;
  float busy = 0, longest = -1;
  LabelId label = kNone<LabelId>;
  SliceId representative = kNone<SliceId>;  ///< the longest slice; none if the row has no slices
};
/// Cost: a few nodes or slices.
WholeRow whole_row(const IndexedRow& row);

/// Fills `out`, which has pyramid_size(row.size()) elements.
void build_row_pyramid(const RowSlices& row, std::span<PyramidNode> out);

}  // namespace tv
