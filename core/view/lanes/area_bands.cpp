#include "core/view/lanes/area_bands.h"

#include <algorithm>
#include <utility>

#include "core/query/lane_set.h"

namespace tv {

std::vector<LaneBand> area_bands(const Trace& trace, const LaneLayout& layout, std::span<const LaneId> lanes,
                                 double scroll_y, double height) {
  if (lanes.empty()) return {{0, height}};
  const std::vector<LaneId> counted = resolve_lanes(trace, lanes);
  const auto counts = [&](const LaneBox& box) {
    // An expanded group is only a header; its lanes have boxes of their own.
    if (box.group && !box.collapsed) return std::ranges::binary_search(counted, box.lane);
    const auto first = std::ranges::lower_bound(counted, box.lane);
    return first != counted.end() && *first < trace.lane(box.lane).subtree_end;
  };
  std::vector<LaneBand> out;
  bool in_band = false;
  for (const LaneBox& box : layout.boxes_between(scroll_y, scroll_y + height)) {
    const bool continues = std::exchange(in_band, counts(box));
    if (!in_band) continue;
    const LaneBand band{std::max(box.y - scroll_y, 0.0),
                        std::min(box.y + static_cast<double>(box.height) - scroll_y, height)};
    if (continues) {  // over the gap between the boxes
      out.back().y1 = band.y1;
    } else {
      out.push_back(band);
    }
  }
  return out;
}

}  // namespace tv
