// Passes input to ImGui: before 1.87 by setting its state, from then on through its event queue. A key is passed as what the layout
// prints on it, so that Ctrl+C is the key with the C in every version. Everything passed before ImGui::NewFrame belongs to that
// frame; InputQueue decides what a frame gets.
#pragma once

#include "core/view/keys/keymap.h"
#include "imgui.h"

namespace tv {

/// Call before the first input of each frame, because a platform backend that is set up again replaces our key map with its own.
void imgui_takes_our_input(ImGuiIO& io);

void give_mouse_position(ImGuiIO& io, ImVec2 position);
void give_mouse_button(ImGuiIO& io, ImGuiMouseButton button, bool down);
void give_wheel(ImGuiIO& io, float vertical, float horizontal);
void give_key(ImGuiIO& io, Key key, bool down);
/// Call when the window loses the keyboard: it will never see the releases of the keys that are down.
void release_keys(ImGuiIO& io);

}  // namespace tv
