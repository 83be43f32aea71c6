#include "core/view/lanes/area_lanes.h"

#include <algorithm>

#include "core/query/lane_set.h"

namespace tv {
namespace {

bool counts_itself(const Lane& lane) { return lane.row_count > 0 || lane.counter != UINT32_MAX; }

}  // namespace

AreaPart area_part(const Trace& trace, std::span<const LaneId> counted, LaneId lane) {
  bool any = false, all = true;
  for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l) {
    if (!counts_itself(trace.lanes[l])) continue;
    const bool in = std::ranges::binary_search(counted, id_at<LaneId>(l));
    any |= in;
    all &= in;
  }
  return !any ? AreaPart::None : all ? AreaPart::All : AreaPart::Some;
}

std::optional<std::vector<LaneId>> toggled_area(const Trace& trace, std::span<const LaneId> area, LaneId lane) {
  const std::vector<LaneId> counted = resolve_lanes(trace, area);
  const bool out = area_part(trace, counted, lane) == AreaPart::All;
  std::vector<LaneId> lanes;
  bool all = true;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (!counts_itself(trace.lanes[l])) continue;
    const auto id = id_at<LaneId>(l);
    const bool within = id >= lane && id < trace.lane(lane).subtree_end;
    if (within ? !out : std::ranges::binary_search(counted, id)) {
      lanes.push_back(id);
    } else {
      all = false;
    }
  }
  if (lanes.empty()) return std::nullopt;
  if (all) lanes.clear();
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
