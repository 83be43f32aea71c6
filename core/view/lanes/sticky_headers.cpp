#include "core/view/lanes/sticky_headers.h"

#include <algorithm>

namespace tv {
namespace {

// The y at which the lanes of a shown group end.
double end_of_group(const Trace& trace, const LaneLayout& layout, const LaneBox& header) {
  const auto boxes = layout.boxes();
  const auto first = boxes.begin() + (&header - boxes.data()) + 1;
  const LaneId end = trace.lane(header.lane).subtree_end;
  const auto after = std::partition_point(first, boxes.end(),
                                          [&](const LaneBox& box) { return box.lane > header.lane && box.lane < end; });
  return after == boxes.end() ? layout.height() : after->y;
}

}  // namespace

void sticky_headers(const Trace& trace, const LaneLayout& layout, double scroll_y, std::vector<StickyHeader>& out) {
  out.clear();
  float used = 0;
  for (std::uint16_t depth = 0;; ++depth) {
    // The box below the stuck headers determines whether another one must stick.
    const auto below = layout.at(scroll_y + static_cast<double>(used));
    if (!below) return;
    LaneId group = below->lane;
    while (group != kNone<LaneId> && trace.lane(group).depth > depth) group = trace.lane(group).parent;
    if (group == kNone<LaneId> || trace.lane(group).depth != depth || !layout.shows(group)) return;
    const LaneBox& header = layout.box_of(group);
    if (header.lane != group || !header.group || header.collapsed || header.pinned) return;
    if (header.y >= scroll_y + static_cast<double>(used)) return;
    const double end = end_of_group(trace, layout, header);
    const auto pushed = static_cast<float>(end - scroll_y) - header.header_height;
    out.push_back({group, std::min(used, pushed), header.header_height});
    used += header.header_height;
  }
}

}  // namespace tv
