// An opaque background below everything that is drawn later. While a picture is recorded (DrawingRecord), the background becomes a
// part of it.
#pragma once

#include "ui/panels/panel.h"
#include "ui/widgets/text/shapes.h"

namespace tv {

inline void fill_background(const PanelContext& context, const Area& area, Rgba color) {
  context.backdrop.add(area, color);
  if (!DrawingRecord::is_recording()) return;
  const ImVec2 low = area.min(), high = area.max();
  DrawingRecord::add(*ImGui::GetWindowDrawList(), {DrawnShape::Kind::Box, color, low.x, low.y, high.x, high.y});
}

}  // namespace tv
