// Puts a chart's picture on an ImGui draw list. Nothing is allocated except by the growing list.
#pragma once

#include "core/view/picture/chart_picture.h"
#include "imgui.h"

namespace tv {

/// `at` is the picture's upper left corner. The background is left out: the panel or the backdrop has drawn one.
void draw_chart(ImDrawList& list, const ChartPicture& picture, ImVec2 at);

/// Measures text in the current font; to be used only while that is current.
ChartMeasure imgui_chart_measure();

}  // namespace tv
