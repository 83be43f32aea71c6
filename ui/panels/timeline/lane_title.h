// The name of a lane in the room that its column leaves, none at all where the column is narrow. A name can be a path, "host / rank 3":
// the end tells lanes apart, and so the part before it is cut first, in its middle. Cost: O(name) and some tens of widths.
#pragma once

#include <span>
#include <string_view>

#include "core/view/color/rgba.h"
#include "imgui.h"

namespace tv {

/// `others`: beside it. A name that is no path is cut where it is like one of them.
void draw_lane_title(ImDrawList& list, ImVec2 at, float room, Rgba color, std::string_view title,
                     std::span<const std::string_view> others = {});

}  // namespace tv
