#include "ui/widgets/input/imgui_input.h"

#include <algorithm>

namespace tv {

namespace {

struct KeyName {
  Key key;
  ImGuiKey imgui;
};

/// The keys that ImGui's widgets react to.
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

}  // namespace

#if IMGUI_VERSION_NUM < 18700

void imgui_takes_our_input(ImGuiIO& io) {
  std::ranges::fill(io.KeyMap, -1);
  for (const auto& [key, imgui] : kImGuiKeys) io.KeyMap[imgui] = static_cast<int>(key);
}
void give_mouse_position(ImGuiIO& io, ImVec2 position) { io.MousePos = position; }
void give_mouse_button(ImGuiIO& io, ImGuiMouseButton button, bool down) { io.MouseDown[button] = down; }
void give_wheel(ImGuiIO& io, float vertical, float horizontal) {
  io.MouseWheel += vertical;
  io.MouseWheelH += horizontal;
}
void give_key(ImGuiIO& io, Key key, bool down) {
  if (key == Key::Tab && down && io.KeyCtrl) return;  // ImGui would switch windows; here the key switches tabs
  io.KeysDown[static_cast<int>(key)] = down;
  if (key == Key::Ctrl) io.KeyCtrl = down;
  if (key == Key::Shift) io.KeyShift = down;
  if (key == Key::Alt) io.KeyAlt = down;
  if (key == Key::Super) io.KeySuper = down;
}
void release_keys(ImGuiIO& io) { io.ClearInputKeys(); }

#else

#if IMGUI_VERSION_NUM < 18900
constexpr ImGuiKey ImGuiMod_Ctrl = ImGuiKey_ModCtrl, ImGuiMod_Shift = ImGuiKey_ModShift, ImGuiMod_Alt = ImGuiKey_ModAlt,
                   ImGuiMod_Super = ImGuiKey_ModSuper;
#endif

bool ctrl_down = false;  // as last reported: io may not have processed the queue yet

/// Makes ImGui handle all input of a frame in that frame.
void imgui_takes_our_input(ImGuiIO& io) { io.ConfigInputTrickleEventQueue = false; }
void give_mouse_position(ImGuiIO& io, ImVec2 position) { io.AddMousePosEvent(position.x, position.y); }
void give_mouse_button(ImGuiIO& io, ImGuiMouseButton button, bool down) { io.AddMouseButtonEvent(button, down); }
void give_wheel(ImGuiIO& io, float vertical, float horizontal) { io.AddMouseWheelEvent(horizontal, vertical); }
void give_key(ImGuiIO& io, Key key, bool down) {
  if (key == Key::Ctrl) ctrl_down = down;
  if (key == Key::Tab && down && ctrl_down) return;  // ImGui would switch windows; here the key switches tabs
  for (const auto& [ours, imgui] : kImGuiKeys)
    if (ours == key) io.AddKeyEvent(imgui, down);
  if (key == Key::Ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, down);
  if (key == Key::Shift) io.AddKeyEvent(ImGuiMod_Shift, down);
  if (key == Key::Alt) io.AddKeyEvent(ImGuiMod_Alt, down);
  if (key == Key::Super) io.AddKeyEvent(ImGuiMod_Super, down);
}
void release_keys(ImGuiIO& io) {
  ctrl_down = false;
  io.ClearInputKeys();
}

#endif

}  // namespace tv
