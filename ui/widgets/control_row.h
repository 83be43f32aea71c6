// Draws controls of charts in a row: lists to choose from, sliders and text fields. Reports changes, which the caller applies.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/view/chart/chart_controls.h"
#include "imgui.h"
#include "ui/widgets/theme.h"

namespace tv {

/// Draws into the current line, and into further lines if there is too little room. Returns the setting and the value of a control
/// that was changed in this frame.
std::optional<std::pair<std::string, std::string>> control_row(std::span<const ChartControl> controls,
                                                               const Theme& theme);

}  // namespace tv
