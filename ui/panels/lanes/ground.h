// An opaque background below everything that is drawn later. It is recorded, too, if a picture is being taken.
#pragma once

#include "ui/panels/panel.h"
#include "ui/widgets/text/shapes.h"

namespace tv {

inline void lay_ground(const PanelContext& context, const Area& area, Rgba color) {
  context.backdrop.add(area, color);
  if (!DrawingRecord::runs()) return;
  const ImVec2 low = area.min(), high = area.max();
  DrawingRecord::keep(*ImGui::GetWindowDrawList(), {DrawnShape::Kind::Box, color, low.x, low.y, high.x, high.y});
}

}  // namespace tv
