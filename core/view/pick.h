// What is under the mouse. Arithmetic only: height to lane and row, x to time, one binary search in the row.
#pragma once

#include <optional>

#include "core/index/snapshot.h"
#include "core/view/lane_layout.h"
#include "core/view/viewport.h"

namespace tv {

struct Pick {
  LaneLayout::Place place;      ///< which lane, and what part of it
  double t = 0;                 ///< ns
  std::optional<SliceId> slice; ///< slice or instant at the point, else none
  std::optional<double> value;  ///< of the counter at t
  std::optional<TimeRange>
      gap;  ///< on a slice row without a slice: from the previous one's end to the next one's begin
};

/// x, y in pixels of the timeline area. None where there is no lane. `tolerance_px`: slices this near count
/// as hit.
std::optional<Pick> pick(const Snapshot& snapshot, const LaneLayout& layout, const Viewport& view,
                         std::uint32_t width_px, double scroll_y, double x, double y,
                         double tolerance_px = 3);

/// The nearest edge of a slice of this row, within the tolerance, for snapping a dragged range.
std::optional<Ns> snap_to_edge(const RowSlices& row, Ns t, Ns tolerance);

}  // namespace tv
