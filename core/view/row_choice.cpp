#include "core/view/row_choice.h"

#include <algorithm>

namespace tv {

void cycle_row_size(const Trace& trace, LaneId lane, RowSize shown, LaneState& state) {
  const std::vector<std::string> keys = lane_keys(trace);
  for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l)
    state.row_sizes.insert_or_assign(keys[l], next_size(shown));
}

void toggle_depth_limit(const Trace& trace, LaneId lane, std::uint32_t levels, LaneState& state) {
  const std::string key = lane_keys(trace)[idx(lane)];
  if (state.depth_limits.erase(key) == 0) state.depth_limits.emplace(key, std::max(levels, 1u));
}

void reset_rows(LaneState& state) {
  state.row_scale = 1;
  state.row_sizes.clear();
  state.depth_limits.clear();
}

}  // namespace tv
