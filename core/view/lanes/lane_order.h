// The order of lanes: as in the files, or by a property of each lane: its name, begin, busy time, end, waiting. Workers of a
// rollout can also be sorted by a measure of a step. The result goes into LaneState::weight. Cost: O(lanes log lanes); by waiting
// O(slices); for workers O(lanes + requests of the step). Runs when the user sorts, never per frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/rollout/heat_map.h"

namespace tv {

enum class LaneSort : std::uint8_t {
  Name,   ///< natural order: rank 2 before rank 10
  Start,  ///< the earliest begin first
  Busy,   ///< the most time with a slice; for a group the sum over its lanes
  Tail,   ///< the latest end first
  Wait,   ///< the most time in slices that wait: barriers, communication kernels, calls that wait for a device
  kCount
};
inline constexpr std::size_t kLaneSorts = static_cast<std::size_t>(LaneSort::kCount);
std::string_view name(LaneSort sort);     ///< one word: "busy"
std::string_view meaning(LaneSort sort);  ///< for menus: "longest busy first"
std::optional<LaneSort> lane_sort(std::string_view word);

/// One weight per lane of the trace: the first lane has the greatest.
std::vector<double> lane_weights(const Trace& trace, LaneSort sort);

/// Per lane of the rollout's trace, for LaneState::weight: a worker's measure on the worker's group. NaN for all other lanes, and
/// for workers without requests in the step, or only with requests that have no duration.
std::vector<double> worker_lane_weights(const Rollout& rollout, HeatMeasure measure, std::uint32_t step);

}  // namespace tv
