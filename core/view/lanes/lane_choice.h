// Which lanes the user wants: pinned, hidden, isolated, folded by level, dragged to a place. These change LaneState, by lane key,
// so that they survive new snapshots and reloads; a group stands for all lanes in it. Cost: O(lanes) each, when the user asks for
// it.
#pragma once

#include <span>

#include "core/view/lanes/lane_layout.h"

namespace tv {

bool is_pinned(const Trace& trace, LaneId lane, const LaneState& state);
/// Pins them to the top; unpins them if the first one is already pinned.
void toggle_pinned(const Trace& trace, std::span<const LaneId> lanes, LaneState& state);
void hide_lanes(const Trace& trace, std::span<const LaneId> lanes, LaneState& state);
/// Shows only these lanes.
void isolate_lanes(const Trace& trace, std::span<const LaneId> lanes, LaneState& state);
/// Removes the filter, and all hiding and isolating.
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
