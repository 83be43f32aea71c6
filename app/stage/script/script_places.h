// Where the mouse goes in a script: places named by what is there.
//
//   X Y                 parts of the lanes' area, 0 to 1
//   slice NAME [LANE]   the middle of the longest slice of that name, which must be on the screen; of lanes with that in their path
//   edge begin|end [Y]  of the area, at Y as above, else where the mouse is
//   empty below         of the lanes' area, below the last lane
//   minimap X|begin|end a part of its width; an edge of its window
//   tab PANEL           a tab of the drawer; its group comes into the bar if it is not there
//   panel WHAT [ID]     of the panels: "menu cdf", "close cdf", "group GPU", "more", "edge drawer", "item Close" (panel_tabs.h)
//   clocks align|logged|ROW   of the panel of clocks: a button, or the offset of a row, from 0
//   stats COLUMN|filter|copy|csv   a head of the table of statistics, or what is above it
//   step N              the bar of step N in the strip
//   chart I X Y         a place of the I-th chart's axes, from 0
#pragma once

#include <span>
#include <string>

#include "app/stage/headless_stage.h"
#include "core/base/result.h"

namespace tv {

Result<ImVec2> place_in_window(HeadlessStage& stage, std::span<const std::string> words);
/// The middle of the visible part of the longest slice of that name, on a lane whose path ("worker 3/phases") contains `lane`.
std::optional<ImVec2> place_of_slice(HeadlessStage& stage, const std::string& name, const std::string& lane);

}  // namespace tv
