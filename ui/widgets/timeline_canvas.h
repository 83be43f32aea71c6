// Draws TimelineFrames into ImGui windows. Each frame becomes one callback among ImGui's own draw commands, so what a panel draws
// earlier lies below the frame (lane backgrounds), and what the panel draws later lies above (names, selection, arrows).
//
// A frame pixel is an ImGui unit: on X11, on Windows and in screenshots one real pixel.
#pragma once

#include <memory>
#include <vector>

#include "core/view/timeline/draw_items.h"
#include "imgui.h"

namespace tv {

class TimelineRenderer;

class TimelineCanvas {
 public:
  /// A null renderer draws nothing: for frames that are never displayed.
  explicit TimelineCanvas(TimelineRenderer* renderer);
  ~TimelineCanvas();

  /// Call between frames.
  void set_renderer(TimelineRenderer* renderer) { renderer_ = renderer; }

  /// Draws `frame` with its (0, 0) at `top_left`, clipped to `size` and to the list's clip rectangle. `frame` must not change
  /// before ImGui's frame has been rendered.
  void draw(ImDrawList& list, const TimelineFrame& frame, ImVec2 top_left, ImVec2 size, float ui_scale);

 private:
  struct Call;
  static void run(const ImDrawList* list, const ImDrawCmd* command);

  TimelineRenderer* renderer_;
  std::vector<std::unique_ptr<Call>> calls_;  // reused from frame to frame
  std::size_t used_ = 0;
  int imgui_frame_ = -1;
};

}  // namespace tv
