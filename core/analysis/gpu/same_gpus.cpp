#include "core/analysis/gpu/same_gpus.h"

#include <algorithm>
#include <unordered_map>

#include "core/index/same_lanes.h"

namespace tv {

std::vector<GpuLanes> gpu_lanes(const Trace& trace) {
  std::vector<GpuLanes> gpus;
  std::unordered_map<std::size_t, std::size_t> of_group;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    const Lane& lane = trace.lanes[l];
    if (lane.kind != LaneKind::Stream || lane.slices == 0) continue;
    const LaneId group = gpu_group(trace, id_at<LaneId>(l));
    const auto [known, is_new] = of_group.try_emplace(idx(group), gpus.size());
    if (is_new) gpus.emplace_back().group = group;
    gpus[known->second].lanes.push_back(id_at<LaneId>(l));
  }
  return gpus;
}

std::vector<SameGpu> same_gpus(const Trace& trace, std::span<const GpuLanes> gpus, const CommunicationRules& rules,
                               const GpuActivity* earlier) {
  std::vector<SameGpu> same(gpus.size());
  if (!earlier || earlier->scope || earlier->rules != rules) return same;
  std::unordered_map<std::size_t, std::vector<LaneId>> lanes_of;  // by group of the earlier trace
  for (GpuLanes& gpu : gpu_lanes(*earlier->trace)) lanes_of.emplace(idx(gpu.group), std::move(gpu.lanes));
  std::unordered_map<std::size_t, std::uint32_t> by_first_lane;  // the earlier GPUs
  for (std::uint32_t g = 0; g < earlier->gpus.size(); ++g) by_first_lane.emplace(idx(lanes_of[idx(earlier->gpus[g].group)].front()), g);
  const std::vector<SameLane> lanes = same_lanes(trace, *earlier->trace);
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    const SameLane& first = lanes[idx(gpus[g].lanes.front())];
    const auto was = first.lane == kNone<LaneId> ? by_first_lane.end() : by_first_lane.find(idx(first.lane));
    if (was == by_first_lane.end()) continue;
    const std::vector<LaneId>& before = lanes_of[idx(earlier->gpus[was->second].group)];
    const auto is_the_same = [&](LaneId lane, LaneId earlier_lane) {
      return lanes[idx(lane)].lane == earlier_lane && lanes[idx(lane)].moved == first.moved;
    };
    if (!std::ranges::equal(gpus[g].lanes, before, is_the_same)) continue;
    same[g].gpu = was->second;
    same[g].moved = first.moved;
    same[g].group = earlier->gpus[was->second].group;
    for (std::size_t l = 0; l < before.size(); ++l) same[g].lanes.push_back({gpus[g].lanes[l], before[l]});
  }
  return same;
}

std::vector<SameGpu> same_gpus(const GpuActivity& activity, const GpuActivity* earlier) {
  std::vector<SameGpu> same(activity.gpus.size());
  if (!earlier || activity.scope) return same;
  const std::vector<GpuLanes> lanes = gpu_lanes(*activity.trace);
  std::vector<SameGpu> of_lanes = same_gpus(*activity.trace, lanes, activity.rules, earlier);
  std::unordered_map<std::size_t, std::size_t> place;  // by group
  for (std::size_t g = 0; g < lanes.size(); ++g) place.emplace(idx(lanes[g].group), g);
  for (std::size_t g = 0; g < same.size(); ++g) same[g] = std::move(of_lanes[place.at(idx(activity.gpus[g].group))]);
  return same;
}

}  // namespace tv
