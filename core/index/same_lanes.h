// Lanes that a view shares with an earlier one: they have the same rows of the same segments, in the same order. Results for them
// need not be computed again. Most often one of many segments is new or has moved, and all others are unchanged.
// Cost: O(parts, their rows and labels).
#pragma once

#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

struct SameLane {
  LaneId lane = kNone<LaneId>;  ///< the lane in the earlier view; none: it had no such lane
  Ns moved = 0;                 ///< begin of a slice now, minus its begin then
  bool same_labels = false;     ///< whether its labels have kept their ids

  bool operator==(const SameLane&) const = default;
};

/// By lane. Lanes without slices have no match.
std::vector<SameLane> same_lanes(const Trace& view, const Trace& earlier);

}  // namespace tv
