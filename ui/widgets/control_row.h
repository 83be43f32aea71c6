// Controls of charts in one line: a list to choose from, a slider or a field to type in, for each. What is set is reported; the caller
// does it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/view/chart/chart_controls.h"
#include "imgui.h"
#include "ui/widgets/theme.h"

namespace tv {

/// In the current line as far as there is room. Setting and value of the control that was moved in this frame.
std::optional<std::pair<std::string, std::string>> control_row(std::span<const ChartControl> controls,
                                                               const Theme& theme);

}  // namespace tv
