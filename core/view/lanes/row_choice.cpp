#include "core/view/lanes/row_choice.h"

#include <algorithm>
#include <utility>

namespace tv {

void cycle_row_size(const Trace& trace, LaneId lane, RowSize shown, LaneState& state) {
  const std::vector<std::string> keys = lane_keys(trace);
  for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l)
    state.row_sizes.insert_or_assign(keys[l], next_size(shown));
}

void set_row_size(const Trace& trace, LaneId lane, RowSize size, LaneState& state) {
  const std::vector<std::string> keys = lane_keys(trace);
  for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l) {
    if (size == RowSize::Auto) {
      state.row_sizes.erase(keys[l]);
    } else {
      state.row_sizes.insert_or_assign(keys[l], size);
    }
  }
}

void set_depth_limit(const Trace& trace, LaneId lane, std::uint32_t levels, LaneState& state) {
  const std::vector<std::string> keys = lane_keys(trace);
  for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l) {
    const std::uint32_t all = trace.lanes[l].row_count == 0 ? 0 : levels_of(trace, id_at<LaneId>(l));
    if (levels == 0 || levels >= all) {
      state.depth_limits.erase(keys[l]);
    } else {
      state.depth_limits.insert_or_assign(keys[l], levels);
    }
  }
}

std::uint32_t levels_of(const Trace& trace, LaneId lane) {
  std::uint32_t levels = 0;
  for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l) {
    for (const Row& row : trace.rows_of(trace.lanes[l])) {
      if (row.kind == RowKind::Slices) levels = std::max(levels, row.depth + 1u);
    }
  }
  return levels;
}

std::uint32_t depth_limit(const Trace& trace, LaneId lane, const LaneState& state) {
  if (state.depth_limits.empty()) return 0;
  const std::vector<std::string> keys = lane_keys(trace);
  for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l) {
    const auto found = state.depth_limits.find(keys[l]);
    if (found != state.depth_limits.end()) return found->second;
  }
  return 0;
}

void toggle_depth_limit(const Trace& trace, LaneId lane, std::uint32_t levels, LaneState& state) {
  const std::string key = lane_keys(trace)[idx(lane)];
  const auto listed = std::ranges::find(state.overview, key, &OverviewLane::key);
  const bool cut_by_overview = listed != state.overview.end() && std::exchange(listed->levels, 0) > 0;
  if (state.depth_limits.erase(key) == 0 && !cut_by_overview) state.depth_limits.emplace(key, std::max(levels, 1u));
}

void reset_rows(LaneState& state) {
  state.row_scale = 1;
  state.row_sizes.clear();
  state.depth_limits.clear();
}

}  // namespace tv
