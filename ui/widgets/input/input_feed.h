// Hands ImGui and Keys what InputQueue gives to a frame. ImGui's clock goes with it: it shows when that happened, not when the
// frame came to it, so that two clicks are a double click when they were made in quick succession. While events wait it lags
// behind; when none is left it catches up.
#pragma once

#include <array>
#include <cfloat>

#include "imgui.h"
#include "ui/widgets/input/input_queue.h"
#include "ui/widgets/input/keys.h"

namespace tv {

class InputFeed {
 public:
  /// Feeds the current ImGui context. Its platform backend may be set up before or after.
  explicit InputFeed(Keys& keys);

  void add(const InputEvent& event) { queue_.add(event); }
  bool waiting() const { return queue_.waiting(); }
  /// See InputQueue::hold_for_text.
  void expect_text();

  /// Call right before ImGui::NewFrame and after the platform backend's, whose keys, mouse and clock this overrides.
  void begin_frame(double now_s);

 private:
  void give(const InputEvent& event);

  Keys& keys_;
  InputQueue queue_;
  ImVec2 mouse_{-FLT_MAX, -FLT_MAX};
  std::array<bool, 5> buttons_{};
  double clock_s_ = 0;  // what ImGui was told of
  float double_click_s_;
};

}  // namespace tv
