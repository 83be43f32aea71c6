// Pyramids of summaries over the slices of a row, for drawing the row at any zoom.
//
//   level 1   ┌─────────── node: 4 nodes of level 0 ───────────┐ ...
//   level 0   ┌ node: 8 slices ┐┌ node ┐┌ node ┐┌ node ┐ ...
//   slices    ▬ ▬▬▬ ▬  ▬▬ ▬▬▬▬▬▬ ▬  ▬▬▬▬  ▬ ▬ ▬▬
//
// Slices of a row never overlap, so a node's busy time is the sum of its slices' durations, and a node lasts from the begin of
// its first slice to the end of its last. Drawing a node does not read its children. Two nodes fill a cache line. The top level
// has at most kFanout nodes. A row of up to kSlicesPerNode slices has no levels.
//
// kFanout and kSlicesPerNode bound the cost of a pixel: at the worst zoom, every node is just wider than a pixel, so its 4 nodes
// or 8 slices are read. Smaller values would take more memory. Cost: 5.3 bytes per slice, and a few nanoseconds per slice to
// build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/store/trace/trace.h"

namespace tv {

inline constexpr std::size_t kSlicesPerNode = 8;  ///< in a node of level 0
inline constexpr std::size_t kFanout = 4;         ///< child nodes of a node of any other level

/// Times, slice ids and label ids are those of the segment, not of a view.
struct PyramidNode {
  Ns t0 = 0, t1 = 0;   ///< begin of the first slice, end of the last
  float busy = 0;      ///< sum of the durations, ns
  float longest = 0;   ///< ns
  SegmentSlice representative{};  ///< the longest slice, the first of equal ones; never kNone
  LabelId label{};     ///< the label of the representative
};
static_assert(sizeof(PyramidNode) == 32);

/// The number of nodes on all levels for a row of this many slices.
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

/// A whole row as one node, in the view's times, labels and ids, for rows narrower than a pixel. If many segments share a line, a
/// frame reads their WholeRows instead of the segments (timeline_frame.h).
struct WholeRow {
  TimeRange extent;
  float busy = 0, longest = -1;
  LabelId label = kNone<LabelId>;
  SliceId representative = kNone<SliceId>;  ///< the longest slice; kNone if the row has no slices
};
/// Cost: a few nodes or slices.
WholeRow whole_row(const IndexedRow& row);

/// Fills `out`, which must have pyramid_size(row.size()) elements.
void build_row_pyramid(const RowSlices& row, std::span<PyramidNode> out);

}  // namespace tv
