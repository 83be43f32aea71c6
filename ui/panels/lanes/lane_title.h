// Draws the title of a lane, shortened to the width of its column; nothing if the column is too narrow. The last part of a title
// such as "host / rank 3" distinguishes lanes, so the parts before it are shortened, in their middle. A title of one part, or with
// a long last part, is cut wherever it can be without losing what distinguishes it from other titles.
// Cost: O(title), and measuring a few tens of texts.
#pragma once

#include <span>
#include <string_view>

#include "core/view/color/rgba.h"
#include "imgui.h"

namespace tv {

/// `room`: the width. `others`: the other visible titles.
void draw_lane_title(ImDrawList& list, ImVec2 at, float room, Rgba color, std::string_view title,
                     std::span<const std::string_view> others = {});

}  // namespace tv
