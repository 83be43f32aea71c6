// Finds the lanes that a view shares with an earlier view: those with the same rows of the same segments, in the same order.
// Results for these lanes need not be computed again. Usually one of many segments is new or has moved, and the others have not
// changed. Cost: O(parts, their rows and labels).
#pragma once

#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

struct SameLane {
  LaneId lane = kNone<LaneId>;  ///< the lane in the earlier view; kNone: that view had no such lane
  Ns moved = 0;                 ///< begin of a slice in this view, minus its begin in the earlier one
  bool same_labels = false;     ///< whether the lane's labels have the same ids in both views

  bool operator==(const SameLane&) const = default;
};

/// By lane of `view`. Lanes without slices have no match.
std::vector<SameLane> same_lanes(const Trace& view, const Trace& earlier);

}  // namespace tv
