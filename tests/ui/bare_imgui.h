// ImGui without a window or GL, for tests of its input: fonts that are never drawn, a window with one text box, and a desk that
// draws frames and clicks.
#pragma once

#include <span>

#include "imgui.h"
#include "ui/widgets/input/headless_io.h"

namespace tv::test {

/// Owns an ImGui context.
struct OwnImGui {
  OwnImGui() { ImGui::CreateContext(); }
  ~OwnImGui() { ImGui::DestroyContext(); }
  OwnImGui(const OwnImGui&) = delete;
  OwnImGui& operator=(const OwnImGui&) = delete;
};

/// What a renderer does with the fonts of the context before the first frame.
inline void take_fonts() {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM < 19200
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
#else
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#endif
}

/// Adds a window with a text box to the current frame. Returns the position of the box.
inline ImVec2 text_box_window(std::span<char> text) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({400, 300});
  ImGui::Begin("desk");
  ImGui::InputText("box", text.data(), text.size());
  const ImVec2 box = ImGui::GetItemRectMin();
  ImGui::End();
  return box;
}

/// Frames of 400 x 300 pixels, driven as a script drives them.
struct BareDesk {
  BareDesk() { take_fonts(); }
  virtual ~BareDesk() = default;
  BareDesk(const BareDesk&) = delete;
  BareDesk& operator=(const BareDesk&) = delete;

  /// Adds a window to the current frame.
  virtual bool draw() = 0;
  /// Returns what draw() returned.
  bool frame() {
    io.new_frame();
    const bool returned = draw();
    ImGui::Render();
    return returned;
  }
  void click(ImVec2 position) {
    io.move_mouse(position);
    frame();
    io.press_mouse(0);
    frame();
    io.release_mouse(0);
    frame();
  }

  OwnImGui imgui;
  Keys keys;
  HeadlessIo io{keys, {400, 300}};
};

}  // namespace tv::test
