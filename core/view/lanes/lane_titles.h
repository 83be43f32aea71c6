// Titles for lanes that are shown without the groups around them: as much of each lane's path as is needed to distinguish them.
//
//   rank 0 / GPU 0 / stream 7, rank 1 / GPU 1 / stream 7     rank 0 / stream 7, rank 1 / stream 7
//   rollout / worker 2 / phases, rollout / worker 3 / phases worker 2 / phases, worker 3 / phases
//
//   python3, pid 111 / kernels, python3, pid 112 / kernels   pid 111 / kernels, pid 112 / kernels
//
// Lanes that would have equal titles get their whole paths. Cost: O(lanes + n log lanes) for n titles, when lanes change.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

std::vector<std::string> lane_titles(const Trace& trace, std::span<const LaneId> lanes);

/// As much of a title as fits: its beginning or, if another title begins the same way, the part that differs.
std::string cut_title(std::string_view title, std::span<const std::string_view> others,
                      const std::function<bool(std::string_view)>& fits);

/// The text shown instead of lanes if none is shown.
struct NoLanesMessage {
  std::string why, remedy;
};
/// `filter`: text of the box Lanes; `complaint`: its error; `show_all`: the key, or the command, that shows hidden lanes.
NoLanesMessage no_lanes_message(std::string_view filter, std::string_view complaint, std::string_view show_all);

}  // namespace tv
