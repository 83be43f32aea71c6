#include "ui/widgets/timeline_canvas.h"

#include <algorithm>
#include <cmath>

#include "ui/gl/timeline_renderer.h"

namespace tv {

struct TimelineCanvas::Call {
  TimelineRenderer* renderer;
  const TimelineFrame* frame;
  ImVec2 top_left, size;
  float ui_scale;
};

TimelineCanvas::TimelineCanvas(TimelineRenderer* renderer) : renderer_(renderer) {}
TimelineCanvas::~TimelineCanvas() = default;

void TimelineCanvas::draw(ImDrawList& list, const TimelineFrame& frame, ImVec2 top_left, ImVec2 size,
                          float ui_scale) {
  if (imgui_frame_ != ImGui::GetFrameCount()) {
    imgui_frame_ = ImGui::GetFrameCount();
    used_ = 0;
  }
  if (used_ == calls_.size()) calls_.push_back(std::make_unique<Call>());
  Call& call = *calls_[used_++];
  call = {renderer_, &frame, top_left, size, ui_scale};
  list.AddCallback(run, &call);
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void TimelineCanvas::run(const ImDrawList*, const ImDrawCmd* command) {
  const Call& call = *static_cast<const Call*>(command->UserCallbackData);
  if (!call.renderer) return;
  const ImDrawData& data = *ImGui::GetDrawData();
  const ImVec2 ratio = data.FramebufferScale;

  // Converts ImGui's units to pixels of this framebuffer. ImGui's plane may span several monitors, so the window has an offset.
  const auto px_x = [&](float x) { return static_cast<int>(std::lround((x - data.DisplayPos.x) * ratio.x)); };
  const auto px_y = [&](float y) { return static_cast<int>(std::lround((y - data.DisplayPos.y) * ratio.y)); };
  Placement where;
  where.framebuffer_width = static_cast<int>(std::lround(data.DisplaySize.x * ratio.x));
  where.framebuffer_height = static_cast<int>(std::lround(data.DisplaySize.y * ratio.y));
  where.x = px_x(call.top_left.x);
  where.y = px_y(call.top_left.y);
  where.clip_x0 = std::max({px_x(command->ClipRect.x), where.x, 0});
  where.clip_y0 = std::max({px_y(command->ClipRect.y), where.y, 0});
  where.clip_x1 =
      std::min({px_x(command->ClipRect.z), px_x(call.top_left.x + call.size.x), where.framebuffer_width});
  where.clip_y1 =
      std::min({px_y(command->ClipRect.w), px_y(call.top_left.y + call.size.y), where.framebuffer_height});
  where.pixel_ratio = ratio.x;
  where.ui_scale = call.ui_scale;
  call.renderer->draw(*call.frame, where);
}

}  // namespace tv
