// Detects Escape while a text box has the keyboard, when Keys does not report it. ImGui's name for the key changed in 1.87.
#pragma once

#include "imgui.h"

namespace tv {

inline bool escape_pressed_in_text_box() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(ImGuiKey_Escape);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
#endif
}

}  // namespace tv
