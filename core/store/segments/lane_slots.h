// Which slots of a lane each segment has in a view. Those that are never there at once share them: what goes on after another
// stands beside it, on the same lines, as if all had been read together. Others stand below each other, as they come.
//
//   slot 0   a ─────      c ────     c begins when a is over
//   slot 1      b ─────              b runs at the time of a
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace tv {

/// What a segment has on a lane.
struct LaneShare {
  TimeRange extent;
  std::uint32_t slots = 0;  ///< 0: nothing that needs one
};

/// Of each the first; as many as it has follow. Cost: O(n log n) where all can share, times the levels that they need.
std::vector<std::uint32_t> first_slots(std::span<const LaneShare> shares);

}  // namespace tv
