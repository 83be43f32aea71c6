// Mouse positions in a script, named by the item that is there. The main ones; tests/ui/scripts/README.md has all.
//
//   X Y                 relative position in the lanes' area, 0 to 1
//   slice NAME [LANE]   the middle of the visible part of the longest slice of that name; LANE: a part of its path
//   edge begin|end [Y]  edge of the selected area, at height Y as above, else at the mouse's
//   empty below         in the lanes' area, below the last lane
//   minimap X|begin|end a relative position X in the minimap, or an edge of its window
//   tab PANEL           a tab of the drawer; shows its group in the bar if necessary
//   panel WHAT [ID]     on panels: "menu cdf", "close cdf", "group GPU", "more", "edge drawer", "item Close" (panel_tabs.h)
//   clocks collectives|align|logged|ROW   in the panel Clocks: its box, its buttons, or the offset of a row, from 0
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
/// The centre of the visible part of the longest slice of that name, on a lane whose path ("worker 3/phases") contains `lane`.
std::optional<ImVec2> place_of_slice(HeadlessStage& stage, const std::string& name, const std::string& lane);

}  // namespace tv
