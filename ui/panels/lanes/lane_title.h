// Draws the name of a lane in the room of its column, or nothing if the column is too narrow. The end of a name such as "host /
// rank 3" distinguishes lanes, so the part before it is cut first, in its middle. Cost: O(name) and some tens of widths.
#pragma once

#include <span>
#include <string_view>

#include "core/view/color/rgba.h"
#include "imgui.h"

namespace tv {

/// `others`: the other titles in sight. A name that is not a path is cut in the part that it shares with one of them.
void draw_lane_title(ImDrawList& list, ImVec2 at, float room, Rgba color, std::string_view title,
                     std::span<const std::string_view> others = {});

}  // namespace tv
