#include "core/query/lane_set.h"

#include <algorithm>

namespace tv {

std::vector<LaneId> resolve_lanes(const Trace& trace, std::span<const LaneId> set) {
  std::vector<LaneId> lanes;
  const auto add_subtree = [&](std::size_t first, std::size_t last) {
    for (std::size_t l = first; l < last; ++l) lanes.push_back(id_at<LaneId>(l));
  };
  if (set.empty()) add_subtree(0, trace.lanes.size());
  for (const LaneId lane : set) add_subtree(idx(lane), idx(trace.lane(lane).subtree_end));
  std::sort(lanes.begin(), lanes.end());
  lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
  return lanes;
}

}  // namespace tv
