#include "core/view/lanes/area_lanes.h"

#include <algorithm>

#include "core/query/lane_set.h"
#include "core/view/lanes/known_lanes.h"

namespace tv {

AreaPart area_part(const Trace& trace, std::span<const LaneId> counted, LaneId lane) {
  bool any = false, all = true;
  for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l) {
    if (!holds_anything(trace.lanes[l])) continue;
    const bool is_counted = std::ranges::binary_search(counted, id_at<LaneId>(l));
    any |= is_counted;
    all &= is_counted;
  }
  return !any ? AreaPart::None : all ? AreaPart::All : AreaPart::Some;
}

std::optional<std::vector<LaneId>> toggled_area(const Trace& trace, std::span<const LaneId> area, LaneId lane) {
  const std::vector<LaneId> counted = resolve_lanes(trace, area);
  const bool removes = area_part(trace, counted, lane) == AreaPart::All;
  std::vector<LaneId> lanes;
  bool all = true;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (!holds_anything(trace.lanes[l])) continue;
    const auto id = id_at<LaneId>(l);
    const bool is_toggled = id >= lane && id < trace.lane(lane).subtree_end;
    if (is_toggled ? !removes : std::ranges::binary_search(counted, id)) {
      lanes.push_back(id);
    } else {
      all = false;
    }
  }
  if (lanes.empty()) return std::nullopt;
  if (all) lanes.clear();  // an area without lanes counts all of them
  return lanes;
}

std::vector<LaneId> lanes_of_boxes(const LaneLayout& layout) {
  std::vector<LaneId> lanes;
  for (const LaneBox& box : layout.boxes()) {
    if (!box.group || box.collapsed) lanes.push_back(box.lane);
  }
  return lanes;
}

}  // namespace tv
