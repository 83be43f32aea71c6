// What the user does with lanes: pin, hide, isolate, fold by level, drag. These functions change LaneState, which refers to lanes by
// key, so that the choices survive new snapshots and reloads. A group stands for all lanes in it. Cost: O(lanes) each, when the
// user asks.
#pragma once

#include <span>

#include "core/view/lanes/lane_layout.h"

namespace tv {

bool is_pinned(const Trace& trace, LaneId lane, const LaneState& state);
/// Pins the lanes to the top; if the first of them is already pinned, unpins them all.
void toggle_pinned(const Trace& trace, std::span<const LaneId> lanes, LaneState& state);
void hide_lanes(const Trace& trace, std::span<const LaneId> lanes, LaneState& state);
/// Shows only these lanes.
void isolate_lanes(const Trace& trace, std::span<const LaneId> lanes, LaneState& state);
/// Removes the filter; no lane is hidden or isolated any more.
void show_all_lanes(LaneState& state);
/// Hides the lanes that are shown, and shows those that are hidden.
void invert_lanes(const Trace& trace, LaneState& state);

/// How many levels of groups are open: 0 if only the outermost groups are shown, folded.
std::uint32_t open_levels(const Trace& trace, const LaneState& state);
/// Shows the tree with groups open down to a level: 0 folds everything into one row per outermost group.
void open_to_level(const Trace& trace, std::uint32_t level, LaneState& state);
std::uint32_t deepest_level(const Trace& trace);

/// Moves a lane before one of its siblings; `before` none: after all of them. No effect on lanes that are not siblings.
void drag_lane(const Trace& trace, const LaneLayout& layout, LaneId lane, LaneId before, LaneState& state);

}  // namespace tv
