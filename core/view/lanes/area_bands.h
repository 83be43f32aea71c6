// Where an area lies on the screen: bands over exactly the lanes that it counts. A collapsed group gets a band if any of its lanes
// is counted, because its box stands for all of them. Invariant: bands lie below each other, do not touch and are within [0,
// height). Cost: O(lanes on the screen) binary searches, and O(n log n) for n lanes of the area.
#pragma once

#include <span>
#include <vector>

#include "core/view/lanes/lane_layout.h"

namespace tv {

struct LaneBand {
  double y0 = 0, y1 = 0;  ///< pixels below the top of the lanes
  bool operator==(const LaneBand&) const = default;
};

/// `lanes`: lanes and groups of the area. None: all, including the space below the last lane.
std::vector<LaneBand> area_bands(const Trace& trace, const LaneLayout& layout, std::span<const LaneId> lanes,
                                 double scroll_y, double height);

}  // namespace tv
