// The timeline of one frame as shapes and texts, for SVG, recorded as they are drawn (ui/widgets/text/shapes.h). Hover effects are
// left out.
#include "ui/panels/timeline/timeline_panel.h"

namespace tv {

Area TimelinePanel::picture_area() const {
  const Area &pinned = panes_[kPinnedPane].area, &lanes = panes_[kLanesPane].area;
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

// Opaque, below everything drawn later.
void TimelinePanel::lay_ground(const PanelContext& context, const Area& area, Rgba color) {
  context.backdrop.add(area, color);
  if (!DrawingRecord::runs()) return;
  const ImVec2 low = area.min(), high = area.max();
  DrawingRecord::keep(*ImGui::GetWindowDrawList(), {DrawnShape::Kind::Box, color, low.x, low.y, high.x, high.y});
}

void TimelinePanel::record_frame(const ImDrawList& list, const TimelineFrame& frame) const {
  if (!DrawingRecord::runs()) return;
  DrawnShape lanes{DrawnShape::Kind::Frame, 0, lanes_.x, lanes_.y, lanes_.x + lanes_.width, lanes_.y + lanes_.height};
  lanes.frame = &frame;
  DrawingRecord::keep(list, std::move(lanes));
}

// Gives slice names their full text as a tooltip.
void TimelinePanel::record_names(const PanelContext& context, ImDrawList& list) {
  const Trace& trace = context.workspace.trace();
  std::vector<DrawnShape>& shapes = picture_->shapes;
  for (const TextItem& text : panes_[pane_].frame.texts) {
    const std::size_t before = shapes.size();
    draw_label(context, list, text);
    // A cut name comes in two parts, the second of which is the dots.
    if (shapes.size() > before) {
      shapes[before].title =
          std::string(trace.labels.name(text.label)) + "\n" + format_duration(trace.duration_of(text.slice));
    }
  }
}

}  // namespace tv
