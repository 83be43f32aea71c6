// Records the timeline of one frame for SVG, as shapes and texts, while it is drawn (ui/widgets/text/shapes.h). Hover effects are
// left out.
#include "ui/panels/timeline/timeline_panel.h"

namespace tv {

Area TimelinePanel::picture_area() const {
  const Area &pinned = panes_[kPinnedPane].place.area, &lanes = panes_[kLanesPane].place.area;
  const float top = pinned.y - ruler_height_;
  return {left_, top, lanes.x + lanes.width - left_, lanes.y + lanes.height - top};
}

// Everything drawn during the lifetime of the result is recorded.
std::unique_ptr<DrawingRecord> TimelinePanel::begin_record(const PanelContext& context, const Area& ruler) {
  if (!std::exchange(record_next_, false)) return nullptr;
  ruler_height_ = ruler.height;
  const Area all = picture_area();
  picture_.emplace(TimelinePicture{all.x, all.y, all.width, all.height, context.theme.scale, context.theme.window, {}});
  return std::make_unique<DrawingRecord>(picture_->shapes);
}

void TimelinePanel::record_frame(const ImDrawList& list, const TimelineFrame& frame) const {
  if (!DrawingRecord::is_recording()) return;
  DrawnShape lanes{DrawnShape::Kind::Frame, 0, at_.area.x, at_.area.y, at_.area.x + at_.area.width, at_.area.y + at_.area.height};
  lanes.frame = &frame;
  DrawingRecord::add(list, std::move(lanes));
}

}  // namespace tv
