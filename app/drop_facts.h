// What GLFW does not tell of files that are dropped on the window. While they are dragged the keyboard belongs to the program
// they come from, so key events say nothing of Shift; and of "file://otherhost/tmp/a" GLFW leaves "/tmp/a". The X server knows
// both. Nothing is linked for it: GLFW has loaded libX11 where its windows are X11's.
#pragma once

#include <optional>
#include <string>

struct GLFWwindow;

namespace tv {

/// Whether Shift is down now, wherever the keyboard's focus is; none where nobody says (Wayland).
std::optional<bool> shift_is_down();

/// The text/uri-list of the drop that GLFW is just reporting; none where it cannot be had.
std::optional<std::string> dropped_uris(GLFWwindow* window);

}  // namespace tv
