// Puts a chart's picture on an ImGui draw list. Nothing is allocated but what the list itself grows by.
#pragma once

#include "core/view/picture/chart_picture.h"
#include "imgui.h"

namespace tv {

/// `at` is the picture's upper left corner. Its background is left out: the panel or the backdrop has drawn one.
void draw_chart(ImDrawList& list, const ChartPicture& picture, ImVec2 at);

/// Text is as wide as in the present font; to be used only while it is.
ChartMeasure imgui_chart_measure();

}  // namespace tv
