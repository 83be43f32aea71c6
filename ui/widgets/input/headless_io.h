// Mouse and keyboard without a window. A script or a test supplies the input, and every frame lasts 1/60 s, so the same script
// gives the same frames on any machine. Works with ImGui's old (1.86) and new (from 1.87 on) input.
//
//   HeadlessIo io(keys, {1280, 720});
//   io.move_mouse({100, 50}); io.press_key(Key::W); io.new_frame(); /* draw the UI */ ImGui::Render();
//
// All input before new_frame() belongs to that frame. There must be a frame between a press and its release.
#pragma once

#include <string_view>

#include "imgui.h"
#include "ui/widgets/input/keys.h"

namespace tv {

class HeadlessIo {
 public:
  static constexpr float kFrameSeconds = 1.0f / 60.0f;

  /// Uses the current ImGui context, without a platform backend.
  HeadlessIo(Keys& keys, ImVec2 display_size_px);

  void move_mouse(ImVec2 position);
  void press_mouse(ImGuiMouseButton button);
  void release_mouse(ImGuiMouseButton button);
  void turn_wheel(float vertical, float horizontal = 0);
  /// The keyboard is a US keyboard. Punctuation keys type their character; '?' needs no Shift.
  void press_key(Key key);
  void release_key(Key key);
  /// Types characters into the focused text box.
  void type(std::string_view utf8);

  void resize(ImVec2 display_size_px) { display_size_ = display_size_px; }
  /// Starts the next frame: passes the input on, and calls ImGui::NewFrame and Keys::new_frame.
  void new_frame();
  double now_s() const { return static_cast<double>(frames_) * static_cast<double>(kFrameSeconds); }

 private:
  void set_key(Key key, bool down);

  Keys& keys_;
  ImVec2 display_size_;
  long long frames_ = 0;
};

}  // namespace tv
