// Draws a chart's picture into an ImGui draw list. Only the list allocates, when it grows.
#pragma once

#include "core/view/picture/chart_picture.h"
#include "imgui.h"

namespace tv {

/// `at`: the upper left corner. Draws no background, because the panel or the backdrop has one.
void draw_chart(ImDrawList& list, const ChartPicture& picture, ImVec2 at);

/// Measures text in the current font. Use it only while that font is current.
ChartMeasure imgui_chart_measure();

}  // namespace tv
