#include "ui/widgets/input/input_feed.h"

#include <algorithm>

#include "ui/widgets/input/imgui_input.h"

namespace tv {

namespace {

// Within this many frames, ImGui reports that a text box opened by a command has the keyboard.
constexpr int kFramesToFocus = 5;
constexpr double kShortestStep_s = 1e-4;  // ImGui does not accept a step of 0
constexpr double kMostDoubt_s = 1.0;

}  // namespace

InputFeed::InputFeed(Keys& keys) : keys_(keys), double_click_s_(ImGui::GetIO().MouseDoubleClickTime) {}

void InputFeed::expect_text() { queue_.hold_for_text(kFramesToFocus); }

void InputFeed::begin_frame(double now_s) {
  ImGuiIO& io = ImGui::GetIO();
  imgui_takes_our_input(io);
  const auto events = queue_.take(io.WantTextInput);
  for (const InputEvent& event : events) give(event);
  const double until_s = !events.empty() ? events.back().time_s : queue_.waiting() ? clock_s_ : now_s;
  const double step_s = std::max(until_s - clock_s_, kShortestStep_s);
  clock_s_ += step_s;
  io.DeltaTime = static_cast<float>(step_s);
  give_mouse_position(io, mouse_);
  for (std::size_t button = 0; button < buttons_.size(); ++button)
    give_mouse_button(io, static_cast<ImGuiMouseButton>(button), buttons_[button]);
}

void InputFeed::give(const InputEvent& event) {
  ImGuiIO& io = ImGui::GetIO();
  switch (event.kind) {
    case InputKind::Move:
      mouse_ = {event.x, event.y};
      if (event.x == -FLT_MAX) keys_.alt_is_used();  // the mouse has left the window
      break;
    case InputKind::Button:
      if (event.button >= buttons_.size()) break;
      mouse_ = {event.x, event.y};
      buttons_[event.button] = event.down;
      io.MouseDoubleClickTime = double_click_s_ + static_cast<float>(std::min(event.doubt_s, kMostDoubt_s));
      break;
    case InputKind::Wheel:
      give_wheel(io, event.y, event.x);
      break;
    case InputKind::Key:
      give_key(io, event.print, event.down);
      keys_.on_key(event.place, event.print, event.down, event.time_s, event.doubt_s);
      break;
    case InputKind::Character:
      io.AddInputCharacter(event.character);
      break;
    case InputKind::FocusLost:
      release_keys(io);
      keys_.release_all();
      break;
  }
}

}  // namespace tv
