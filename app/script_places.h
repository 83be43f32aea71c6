// Where the mouse goes in a script: places named by what is there.
//
//   X Y                 parts of the lanes' area, 0 to 1
//   slice NAME          the middle of the longest slice of that name that is on the screen
//   tab PANEL           a tab of the drawer
//   clocks align|logged|ROW   of the panel of clocks: a button, or the offset of a row, from 0
//   stats COLUMN|filter|copy|csv   a head of the table of statistics, or what is above it
//   step N              the bar of step N in the strip
//   chart I X Y         a place of the I-th chart's axes, from 0
#pragma once

#include <span>
#include <string>

#include "app/headless_stage.h"
#include "core/base/result.h"

namespace tv {

Result<ImVec2> place_in_window(HeadlessStage& stage, std::span<const std::string> words);
/// The middle of the visible part of the longest slice of that name.
std::optional<ImVec2> place_of_slice(HeadlessStage& stage, const std::string& name);

}  // namespace tv
