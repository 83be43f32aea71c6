// What a user asks of the rows of lanes: changes of LaneState, by lane path as the rest of it.
#pragma once

#include "core/view/lane_layout.h"

namespace tv {

/// Gives a lane, or all within a group, the next size of rows after that shown.
void cycle_row_size(const Trace& trace, LaneId lane, RowSize shown, LaneState& state);
/// Cuts a lane below its first `levels`; where it was cut, shows all of it again.
void toggle_depth_limit(const Trace& trace, LaneId lane, std::uint32_t levels, LaneState& state);
/// Rows as high and lanes as deep as they are without anybody's asking.
void reset_rows(LaneState& state);

}  // namespace tv
