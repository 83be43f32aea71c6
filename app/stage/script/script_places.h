// Mouse positions in a script, named by what is there. These are the main ones; tests/ui/scripts/README.md lists all.
//
//   X Y                 relative position in the lanes' area, 0 to 1
//   slice NAME [LANE]   the middle of the visible part of the longest slice of that name; LANE: a part of the lane's path
//   edge begin|end [Y]  an edge of the selected area, at relative height Y, else at the height of the mouse
//   empty below         in the lanes' area, below the last lane
//   minimap X|begin|end a relative position X in the minimap, or an edge of the view on it
//   tab PANEL           a tab of the drawer; brings the panel's group into the bar if necessary
//   panel WHAT [ID]     on panels, such as "menu cdf", "group GPU", "edge drawer", "item Reset all panels" (panel_places.h)
//   clocks collectives|align|logged|ROW   in the panel Clocks: the box, the buttons, or the offset in a row, from 0
//   stats COLUMN|filter|copy|csv   a header of the table of statistics, or a control above it
//   step N              the bar of step N in the strip
//   chart I X Y         a point on the axes of the I-th chart, from 0
#pragma once

#include <span>
#include <string>

#include "app/stage/headless_stage.h"
#include "core/base/result.h"

namespace tv {

Result<ImVec2> place_in_window(HeadlessStage& stage, std::span<const std::string> words);
/// The centre of the visible part of the longest slice with this name on a lane whose path ("worker 3/phases") contains `lane`.
std::optional<ImVec2> place_of_slice(HeadlessStage& stage, const std::string& name, const std::string& lane);

}  // namespace tv
