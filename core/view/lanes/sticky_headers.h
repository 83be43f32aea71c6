// The headers of groups that have been scrolled out at the top while lanes of theirs are in sight: they stay there, outermost
// first, and the next group pushes them out. Of lanes that are shown without their groups there are none: their titles tell.
// Cost: per frame O(depth log boxes).
#pragma once

#include <vector>

#include "core/view/lanes/lane_layout.h"

namespace tv {

struct StickyHeader {
  LaneId lane{};
  float y = 0;  ///< from the top of the visible part; negative while it is pushed out
  float height = 0;
};

/// `scroll_y`: what of the layout is at the top.
void sticky_headers(const Trace& trace, const LaneLayout& layout, double scroll_y, std::vector<StickyHeader>& out);

}  // namespace tv
