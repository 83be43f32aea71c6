#include "ui/widgets/headless_io.h"

#include <string>

namespace tv {

namespace {

struct KeyName {
  Key key;
  ImGuiKey imgui;
};

/// The keys ImGui's own widgets listen to.
constexpr KeyName kImGuiKeys[] = {
    {Key::Tab, ImGuiKey_Tab},
    {Key::Left, ImGuiKey_LeftArrow},
    {Key::Right, ImGuiKey_RightArrow},
    {Key::Up, ImGuiKey_UpArrow},
    {Key::Down, ImGuiKey_DownArrow},
    {Key::PageUp, ImGuiKey_PageUp},
    {Key::PageDown, ImGuiKey_PageDown},
    {Key::Home, ImGuiKey_Home},
    {Key::End, ImGuiKey_End},
    {Key::Insert, ImGuiKey_Insert},
    {Key::Delete, ImGuiKey_Delete},
    {Key::Backspace, ImGuiKey_Backspace},
    {Key::Space, ImGuiKey_Space},
    {Key::Enter, ImGuiKey_Enter},
    {Key::Escape, ImGuiKey_Escape},
    {Key::A, ImGuiKey_A},
    {Key::C, ImGuiKey_C},
    {Key::V, ImGuiKey_V},
    {Key::X, ImGuiKey_X},
    {Key::Y, ImGuiKey_Y},
    {Key::Z, ImGuiKey_Z},
};

#if IMGUI_VERSION_NUM < 18700

void start(ImGuiIO& io) {
  for (const auto& [key, imgui] : kImGuiKeys) io.KeyMap[imgui] = static_cast<int>(key);
}
void add_mouse_position(ImGuiIO& io, ImVec2 position) { io.MousePos = position; }
void add_mouse_button(ImGuiIO& io, ImGuiMouseButton button, bool down) { io.MouseDown[button] = down; }
void add_wheel(ImGuiIO& io, float vertical, float horizontal) {
  io.MouseWheel += vertical;
  io.MouseWheelH += horizontal;
}
void add_key(ImGuiIO& io, Key key, bool down) {
  io.KeysDown[static_cast<int>(key)] = down;
  if (key == Key::Ctrl) io.KeyCtrl = down;
  if (key == Key::Shift) io.KeyShift = down;
  if (key == Key::Alt) io.KeyAlt = down;
  if (key == Key::Super) io.KeySuper = down;
}

#else

#if IMGUI_VERSION_NUM < 18900
constexpr ImGuiKey ImGuiMod_Ctrl = ImGuiKey_ModCtrl, ImGuiMod_Shift = ImGuiKey_ModShift,
                   ImGuiMod_Alt = ImGuiKey_ModAlt, ImGuiMod_Super = ImGuiKey_ModSuper;
#endif

/// All that a script did arrives in one frame.
void start(ImGuiIO& io) { io.ConfigInputTrickleEventQueue = false; }
void add_mouse_position(ImGuiIO& io, ImVec2 position) { io.AddMousePosEvent(position.x, position.y); }
void add_mouse_button(ImGuiIO& io, ImGuiMouseButton button, bool down) {
  io.AddMouseButtonEvent(button, down);
}
void add_wheel(ImGuiIO& io, float vertical, float horizontal) { io.AddMouseWheelEvent(horizontal, vertical); }
void add_key(ImGuiIO& io, Key key, bool down) {
  for (const auto& [ours, imgui] : kImGuiKeys)
    if (ours == key) io.AddKeyEvent(imgui, down);
  if (key == Key::Ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, down);
  if (key == Key::Shift) io.AddKeyEvent(ImGuiMod_Shift, down);
  if (key == Key::Alt) io.AddKeyEvent(ImGuiMod_Alt, down);
  if (key == Key::Super) io.AddKeyEvent(ImGuiMod_Super, down);
}

#endif

}  // namespace

HeadlessIo::HeadlessIo(Keys& keys, ImVec2 display_size_px) : keys_(keys), display_size_(display_size_px) {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  start(io);
}

void HeadlessIo::move_mouse(ImVec2 position) { add_mouse_position(ImGui::GetIO(), position); }
void HeadlessIo::press_mouse(ImGuiMouseButton button) { add_mouse_button(ImGui::GetIO(), button, true); }
void HeadlessIo::release_mouse(ImGuiMouseButton button) { add_mouse_button(ImGui::GetIO(), button, false); }
void HeadlessIo::turn_wheel(float vertical, float horizontal) {
  add_wheel(ImGui::GetIO(), vertical, horizontal);
}
void HeadlessIo::press_key(Key key) { set_key(key, true); }
void HeadlessIo::release_key(Key key) { set_key(key, false); }

void HeadlessIo::set_key(Key key, bool down) {
  ImGuiIO& io = ImGui::GetIO();
  add_key(io, key, down);
  keys_.on_key(key, key, down);
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
