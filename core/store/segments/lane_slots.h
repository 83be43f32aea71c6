// Assigns the slots of a lane to the segments of a view. Segments that are more than kRoundingSlack apart in time share slots, so
// that one continues the lines of another, as if all had been read together. Other segments get slots below each other, in their
// order.
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
  std::uint32_t slots = 0;  ///< number of slots that it needs
};

/// The first slot of each share. Cost: O(n log n) if all can share slots, times the number of groups that cannot share with
/// others.
std::vector<std::uint32_t> first_slots(std::span<const LaneShare> shares);

}  // namespace tv
