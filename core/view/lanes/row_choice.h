// The user's choices for rows of lanes. These functions change LaneState, which refers to lanes by key.
#pragma once

#include "core/view/lanes/lane_layout.h"

namespace tv {

/// Gives a lane, or all lanes in a group, the row size after `shown`.
void cycle_row_size(const Trace& trace, LaneId lane, RowSize shown, LaneState& state);
/// Sets the row size of a lane, or of all lanes in a group; Auto removes the choice.
void set_row_size(const Trace& trace, LaneId lane, RowSize size, LaneState& state);
/// Shows only the first `levels` of a lane, or of all lanes in a group. 0 or all levels: no limit.
void set_depth_limit(const Trace& trace, LaneId lane, std::uint32_t levels, LaneState& state);
/// How many levels a lane's stacks have; for a group the maximum over its lanes.
std::uint32_t levels_of(const Trace& trace, LaneId lane);
/// The user's limit of shown levels; for a group, that of the first lane in it that has one; 0: all.
std::uint32_t depth_limit(const Trace& trace, LaneId lane, const LaneState& state);
/// Cuts a lane below its first `levels`; if it is already cut, shows all of it again.
void toggle_depth_limit(const Trace& trace, LaneId lane, std::uint32_t levels, LaneState& state);
/// Removes all the user's choices of row heights and depths.
void reset_rows(LaneState& state);

}  // namespace tv
