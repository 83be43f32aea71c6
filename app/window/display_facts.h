// Queries the X server for facts that GLFW does not report. While files are dragged, the keyboard belongs to the program that they
// come from, so no key event reports Shift. GLFW shortens a dropped "file://otherhost/tmp/a" to "/tmp/a". GLFW misses key releases
// while a window manager has the keyboard, and changes of the desktop's scale. The program does not link libX11: GLFW has loaded it
// if the display is X11. Each query costs a round trip to the server.
#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <string_view>

struct GLFWwindow;

namespace tv {

/// The state of the mouse and of Shift, whichever program has them.
struct PointerFacts {
  bool shift = false, button = false;  ///< Shift or the left button is down
  int x = 0, y = 0;                    ///< position in the window
};
/// None if the state cannot be queried (Wayland).
std::optional<PointerFacts> pointer_facts(GLFWwindow* window);
/// The keys that are down now, whichever program has the keyboard, by GLFW's scancodes; none without X11.
std::optional<std::bitset<256>> held_keys();
/// The window's id in X11; 0 if the window has none.
unsigned long x11_window(GLFWwindow* window);
/// Sends a query about the window, so that the server reports an error if the window is gone (x_errors.h).
void query_window(GLFWwindow* window);
/// The window's id as in "x11:1e0003b", for dialogs that belong to the window; empty if it has none.
std::string window_name(GLFWwindow* window);

/// The desktop's current text scale (Xft.dpi of the X resources / 96); none if it is not set. GLFW before 3.4 reads the scale only
/// once, at the start.
std::optional<float> desktop_scale(GLFWwindow* window);
/// The scale from Xft.dpi in the text of X resources; none if there is no plausible value.
std::optional<float> scale_in_resources(std::string_view resources);

/// The text/uri-list of the drop that GLFW is currently reporting; none if the list is not available.
std::optional<std::string> dropped_uris(GLFWwindow* window);

}  // namespace tv
