#include "core/view/lanes/lane_choice.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/view/lanes/known_lanes.h"
#include "core/view/lanes/shown_lanes.h"

namespace tv {
namespace {

// The key of the order in which the lane is dragged: the overview has one order, the tree has one for each group.
std::string list_of(const Trace& trace, LaneId lane, const LaneState& state, const std::vector<std::string>& keys) {
  if (overview_is_shown(state)) return std::string(kOverviewOrder);
  const LaneId around = trace.lane(lane).parent;
  return around == kNone<LaneId> ? std::string(kTopLevel) : keys[idx(around)];
}

}  // namespace

bool is_pinned(const Trace& trace, LaneId lane, const LaneState& state) {
  if (state.pinned.empty()) return false;
  return std::ranges::find(state.pinned, lane_keys(trace)[idx(lane)]) != state.pinned.end();
}

void toggle_pinned(const Trace& trace, std::span<const LaneId> lanes, LaneState& state) {
  if (lanes.empty()) return;
  const std::vector<std::string> keys = lane_keys(trace);
  const bool unpin = std::ranges::find(state.pinned, keys[idx(lanes.front())]) != state.pinned.end();
  std::set<std::string_view> meant;
  for (const LaneId lane : lanes) meant.insert(keys[idx(lane)]);
  std::erase_if(state.pinned, [&](const std::string& key) { return meant.contains(key); });
  for (const LaneId lane : lanes) {
    if (!unpin && meant.erase(keys[idx(lane)]) > 0) state.pinned.push_back(keys[idx(lane)]);
  }
}

void hide_lanes(const Trace& trace, std::span<const LaneId> lanes, LaneState& state) {
  const std::vector<std::string> keys = lane_keys(trace);
  for (const LaneId lane : lanes) {
    state.hidden.insert(keys[idx(lane)]);
    state.only.erase(keys[idx(lane)]);
  }
  std::erase_if(state.pinned, [&](const std::string& key) { return state.hidden.contains(key); });
}

void isolate_lanes(const Trace& trace, std::span<const LaneId> lanes, LaneState& state) {
  if (lanes.empty()) return;
  const std::vector<std::string> keys = lane_keys(trace);
  state.only.clear();
  for (const LaneId lane : lanes) {
    state.only.insert(keys[idx(lane)]);
    for (LaneId at = lane; at != kNone<LaneId>; at = trace.lane(at).parent) state.hidden.erase(keys[idx(at)]);
  }
}

void show_all_lanes(LaneState& state) {
  state.hidden.clear();
  state.only.clear();
  state.filter.clear();
}

void invert_lanes(const Trace& trace, LaneState& state) {
  const std::vector<std::string> keys = lane_keys(trace);
  const ShownLanes shown = shown_lanes(trace, state);
  show_all_lanes(state);
  for (std::size_t l = 0; l < keys.size(); ++l) {
    if (shown.has_box[l] && holds_anything(trace.lanes[l])) state.hidden.insert(keys[l]);
  }
  // The inverse of an overview is the lanes that it leaves out, which only the tree shows.
  state.overview.clear();
  state.pinned.clear();
}

std::uint32_t deepest_level(const Trace& trace) {
  std::uint32_t deepest = 0;
  for (const Lane& lane : trace.lanes) deepest = std::max<std::uint32_t>(deepest, lane.depth);
  return deepest + 1;
}

std::uint32_t open_levels(const Trace& trace, const LaneState& state) {
  std::uint32_t levels = 0;
  for (const ShownLane& shown : shown_lanes(trace, state).lanes) {
    if (!shown.collapsed) levels = std::max<std::uint32_t>(levels, trace.lane(shown.lane).depth + 1u);
  }
  return levels;
}

void open_to_level(const Trace& trace, std::uint32_t level, LaneState& state) {
  state.overview.clear();
  const std::vector<std::string> keys = lane_keys(trace);
  for (std::size_t l = 0; l < keys.size(); ++l)
    state.collapsed.insert_or_assign(keys[l], trace.lanes[l].depth >= level);
}

void drag_lane(const Trace& trace, const LaneLayout& layout, LaneId lane, LaneId before, LaneState& state) {
  if (lane == before) return;
  const std::vector<std::string> keys = lane_keys(trace);
  const std::string& moved = keys[idx(lane)];
  if (std::ranges::find(state.pinned, moved) != state.pinned.end()) {
    std::erase(state.pinned, moved);
    const auto place =
        before == kNone<LaneId> ? state.pinned.end() : std::ranges::find(state.pinned, keys[idx(before)]);
    state.pinned.insert(place, moved);
    return;
  }
  const std::string list = list_of(trace, lane, state, keys);
  if (before != kNone<LaneId> && list_of(trace, before, state, keys) != list) return;
  std::vector<std::string> order;
  for (const LaneBox& box : layout.boxes()) {
    if (!box.pinned && box.lane != lane && list_of(trace, box.lane, state, keys) == list)
      order.push_back(keys[idx(box.lane)]);
  }
  const auto place = before == kNone<LaneId> ? order.end() : std::ranges::find(order, keys[idx(before)]);
  order.insert(place, moved);
  state.dragged.insert_or_assign(list, std::move(order));
}

}  // namespace tv
