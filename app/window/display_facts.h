// Queries the X server for facts that GLFW does not report. While files are dragged, the keyboard belongs to the program they
// come from, so no key event reports Shift. GLFW shortens a dropped "file://otherhost/tmp/a" to "/tmp/a". It misses key releases
// while a window manager has the keyboard, and changes of the desktop's scale. Nothing is linked for this: GLFW has loaded libX11
// if it uses X11. Each query costs a round trip to the server.
#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <string_view>

struct GLFWwindow;

namespace tv {

/// The current state of mouse and keyboard, whichever program has them; none if it cannot be queried (Wayland).
struct PointerFacts {
  bool shift = false, button = false;  ///< Shift or the left button is down
  int x = 0, y = 0;                    ///< position in the window
};
std::optional<PointerFacts> pointer_facts(GLFWwindow* window);
/// The keys that are down now, whichever program has the keyboard, by GLFW's scancodes; none on other systems than X11.
std::optional<std::bitset<256>> held_keys();
/// The window's id in X11; 0 if it has none.
unsigned long x11_window(GLFWwindow* window);
/// Queries the server about the window, so that it reports an error if the window is gone (x_errors.h).
void query_window(GLFWwindow* window);
/// The window's id as in "x11:1e0003b", for dialogs that belong to it; empty if it has none.
std::string window_name(GLFWwindow* window);

/// The desktop's current text scale (Xft.dpi of the X resources / 96); none if it is not set. GLFW before 3.4 reads it only once,
/// at the start.
std::optional<float> desktop_scale(GLFWwindow* window);
/// Parses Xft.dpi in the text of X resources.
std::optional<float> scale_in_resources(std::string_view resources);

/// The text/uri-list of the drop that GLFW is currently reporting; none if it is not available.
std::optional<std::string> dropped_uris(GLFWwindow* window);

}  // namespace tv
