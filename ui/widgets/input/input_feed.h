// Passes the events that InputQueue assigns to a frame on to ImGui and Keys. ImGui's clock shows when these events happened, not
// when they are processed, so that two quick clicks are a double click even if frames are slow. So the clock lags behind while
// events wait, and catches up when none is left.
#pragma once

#include <array>
#include <cfloat>

#include "imgui.h"
#include "ui/widgets/input/input_queue.h"
#include "ui/widgets/input/keys.h"

namespace tv {

class InputFeed {
 public:
  /// Feeds the current ImGui context, whose platform backend may be set up before or after.
  explicit InputFeed(Keys& keys);

  void add(const InputEvent& event) { queue_.add(event); }
  bool waiting() const { return queue_.waiting(); }
  /// See InputQueue::hold_for_text.
  void expect_text();

  /// Call right before ImGui::NewFrame, and after the NewFrame of the platform backend: overrides the backend's keys, mouse and
  /// clock.
  void begin_frame(double now_s);

 private:
  void give(const InputEvent& event);

  Keys& keys_;
  InputQueue queue_;
  ImVec2 mouse_{-FLT_MAX, -FLT_MAX};
  std::array<bool, 5> buttons_{};
  double clock_s_ = 0;  // ImGui's clock
  float double_click_s_;
};

}  // namespace tv
