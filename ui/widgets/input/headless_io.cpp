#include "ui/widgets/input/headless_io.h"

#include <string>

#include "ui/widgets/input/imgui_input.h"

namespace tv {

HeadlessIo::HeadlessIo(Keys& keys, ImVec2 display_size_px) : keys_(keys), display_size_(display_size_px) {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  imgui_takes_our_input(io);
}

void HeadlessIo::move_mouse(ImVec2 position) { give_mouse_position(ImGui::GetIO(), position); }
void HeadlessIo::press_mouse(ImGuiMouseButton button) { give_mouse_button(ImGui::GetIO(), button, true); }
void HeadlessIo::release_mouse(ImGuiMouseButton button) { give_mouse_button(ImGui::GetIO(), button, false); }
void HeadlessIo::turn_wheel(float vertical, float horizontal) {
  give_wheel(ImGui::GetIO(), vertical, horizontal);
}
void HeadlessIo::press_key(Key key) { set_key(key, true); }
void HeadlessIo::release_key(Key key) { set_key(key, false); }

void HeadlessIo::set_key(Key key, bool down) {
  ImGuiIO& io = ImGui::GetIO();
  give_key(io, key, down);
  keys_.on_key(key, key, down, now_s());  // on a US keyboard, place and print are the same
  if (const char32_t character = character_of(key); down && character != 0) io.AddInputCharacter(character);
}

void HeadlessIo::type(std::string_view utf8) {
  ImGui::GetIO().AddInputCharactersUTF8(std::string(utf8).c_str());
}

void HeadlessIo::new_frame() {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = display_size_;
  io.DisplayFramebufferScale = {1, 1};
  io.DeltaTime = kFrameSeconds;
  ++frames_;
  ImGui::NewFrame();
  keys_.new_frame(kFrameSeconds);
}

}  // namespace tv
