// Which lanes an area counts: the user removes and adds them one by one, or a group at a time. The tint on the
// screen follows from the same set (area_bands.h). A lane with slices, instants or a counter of its own counts for
// itself; a group stands for all such lanes in it. Cost: O(lanes), when the user asks; area_part O(lanes in the group).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/view/lanes/lane_layout.h"

namespace tv {

enum class AreaPart : std::uint8_t { None, Some, All };
/// How much of a lane or group is in the area. `counted`: resolve_lanes() of the area's lanes.
AreaPart area_part(const Trace& trace, std::span<const LaneId> counted, LaneId lane);

/// Removes this lane or group from the area if all of it is in the area; else adds it. Returns an empty list for all lanes, none if
/// no lane would be left.
std::optional<std::vector<LaneId>> toggled_area(const Trace& trace, std::span<const LaneId> area, LaneId lane);

/// The lanes in a layout, and its folded groups.
std::vector<LaneId> lanes_of_boxes(const LaneLayout& layout);

}  // namespace tv
