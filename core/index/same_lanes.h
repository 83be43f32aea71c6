// Lanes of a view that an earlier one had, too: of the same segments the same rows, in the same order. What was made of these
// need not be made again: most often one of many segments is new or has moved, and all others are as they were.
// Cost: O(parts, their rows and labels).
#pragma once

#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

struct SameLane {
  LaneId lane = kNone<LaneId>;  ///< of the earlier view; none: it had no such lane
  Ns moved = 0;                 ///< by how much its slices are later now
  bool same_labels = false;     ///< whether their labels have the numbers that they had

  bool operator==(const SameLane&) const = default;
};

/// By lane. Of lanes without slices nothing is known.
std::vector<SameLane> same_lanes(const Trace& view, const Trace& earlier);

}  // namespace tv
