// Which slots of a lane each segment has in a view. Segments that never overlap there share them: one continues after another
// on the same lines, as if all had been read together. Others get slots below each other, in the order in which they come.
//
//   slot 0   a ─────      c ────     c begins when a is over
//   slot 1      b ─────              b runs at the time of a
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace tv {

/// A segment's part of a lane.
struct LaneShare {
  TimeRange extent;
  std::uint32_t slots = 0;  ///< 0: nothing that needs one
};

/// The first slot of each share, which has as many as it needs. Cost: O(n log n) if all can share, times the levels needed.
std::vector<std::uint32_t> first_slots(std::span<const LaneShare> shares);

}  // namespace tv
