// Headers of groups that have scrolled off the top while some of their lanes are in sight. They stay at the top, outermost first,
// and the next group pushes them out. Lanes that are shown without their groups have no such headers: their titles suffice. Cost:
// per frame O(depth log boxes).
#pragma once

#include <vector>

#include "core/view/lanes/lane_layout.h"

namespace tv {

struct StickyHeader {
  LaneId lane{};
  float y = 0;  ///< from the top of the visible part; negative while being pushed out
  float height = 0;
};

/// `scroll_y`: the layout's y at the top of the visible part.
void sticky_headers(const Trace& trace, const LaneLayout& layout, double scroll_y, std::vector<StickyHeader>& out);

}  // namespace tv
