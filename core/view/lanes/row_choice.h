// The user's choices for rows of lanes: changes of LaneState, by lane path like the rest of it.
#pragma once

#include "core/view/lanes/lane_layout.h"

namespace tv {

/// Gives a lane, or all within a group, the next size of rows after that shown.
void cycle_row_size(const Trace& trace, LaneId lane, RowSize shown, LaneState& state);
/// For a lane, or for all in a group; Auto removes the choice.
void set_row_size(const Trace& trace, LaneId lane, RowSize size, LaneState& state);
/// For a lane, or for all in a group: only the first `levels`; 0, or all there are: no limit.
void set_depth_limit(const Trace& trace, LaneId lane, std::uint32_t levels, LaneState& state);
/// How many levels the stacks of a lane have, of a group the most of those within.
std::uint32_t levels_of(const Trace& trace, LaneId lane);
/// How many of them are shown at most, as far as the user has said: of a group what its first lane has; 0: all.
std::uint32_t depth_limit(const Trace& trace, LaneId lane, const LaneState& state);
/// Cuts a lane below its first `levels`; where it was cut, shows all of it again.
void toggle_depth_limit(const Trace& trace, LaneId lane, std::uint32_t levels, LaneState& state);
/// Removes all the user's choices of row heights and depths.
void reset_rows(LaneState& state);

}  // namespace tv
