// Finds the item under the mouse. Arithmetic only: height to lane and row, x to time, some binary searches in the row, and for
// merged slices a walk down the row's pyramid for one column.
#pragma once

#include <optional>

#include "core/index/snapshot.h"
#include "core/query/lane_gaps.h"
#include "core/view/lanes/lane_layout.h"
#include "core/view/navigation/viewport.h"

namespace tv {

/// The slices of a row that are narrower than a pixel, in one pixel column.
struct MergedSlices {
  std::uint64_t count = 0;  ///< > 1
  SliceId longest{};
  Ns busy = 0;    ///< how much of the column is covered
  Ns column = 0;  ///< the column's length
};

struct Pick {
  LaneLayout::Place place;      ///< the lane, and the part of it
  double t = 0;                 ///< ns
  std::optional<SliceId> slice; ///< slice or instant at the point, else none
  std::optional<double> value;  ///< value of the counter at t
  std::optional<Gap> gap;       ///< an idle time on a slice row or on a collapsed lane: lane_gaps.h
  std::optional<MergedSlices> merged = {};  ///< set if `slice` is only one of several merged slices
};

/// x, y in pixels of the timeline area. None if there is no lane. `tolerance_px`: slices within this distance count as hit.
std::optional<Pick> pick(const Snapshot& snapshot, const LaneLayout& layout, const Viewport& view, std::uint32_t width_px,
                         double scroll_y, double x, double y, double tolerance_px = 3);

/// The nearest edge of a slice of this row, within the tolerance, for snapping a dragged range.
std::optional<Ns> snap_to_edge(const RowSlices& row, Ns t, Ns tolerance);

}  // namespace tv
