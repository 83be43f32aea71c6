// Controls of charts in one line, each a list to choose from, a slider or a text field. Changes are reported; the caller applies
// them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/view/chart/chart_controls.h"
#include "imgui.h"
#include "ui/widgets/theme.h"

namespace tv {

/// Drawn in the current line as far as there is room. Returns setting and value of the control that was changed in this frame.
std::optional<std::pair<std::string, std::string>> control_row(std::span<const ChartControl> controls,
                                                               const Theme& theme);

}  // namespace tv
