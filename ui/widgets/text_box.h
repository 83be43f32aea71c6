// A text box that edits a std::string of any length: ImGui alone would cut a text that is longer than its buffer.
#pragma once

#include <functional>
#include <string>

#include "imgui.h"

namespace tv {

/// What the box does at the events that its flags ask for, such as ImGuiInputTextFlags_CallbackCompletion.
using BoxEvent = std::function<void(ImGuiInputTextCallbackData&)>;

/// Returns whether the text was changed, or with ImGuiInputTextFlags_EnterReturnsTrue whether Enter was pressed. `hint` is shown
/// while the box is empty.
bool text_box(const char* id, std::string& text, const char* hint = "", ImGuiInputTextFlags flags = 0, const BoxEvent& on_event = {});

}  // namespace tv
