// Passes input to ImGui: by its state before 1.87, by its event queue from then on. Keys are ours, by what the layout prints on
// them, so that Ctrl+C is the key with the C in every version. Everything passed before ImGui::NewFrame belongs to that frame;
// InputQueue decides about the order within a frame.
#pragma once

#include "core/view/keys/keymap.h"
#include "imgui.h"

namespace tv {

/// Call before the first input of each frame: a platform backend that is set up again replaces our key map with its own.
void imgui_takes_our_input(ImGuiIO& io);

void give_mouse_position(ImGuiIO& io, ImVec2 position);
void give_mouse_button(ImGuiIO& io, ImGuiMouseButton button, bool down);
void give_wheel(ImGuiIO& io, float vertical, float horizontal);
void give_key(ImGuiIO& io, Key key, bool down);
/// Call when the window loses the keyboard: the keys' releases will never be reported.
void release_keys(ImGuiIO& io);

}  // namespace tv
