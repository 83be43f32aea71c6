// What the X server knows and GLFW does not tell. While files are dragged, the keyboard belongs to the program they come from, so key
// events say nothing of Shift. GLFW shortens a dropped "file://otherhost/tmp/a" to "/tmp/a". It does not notice keys that go up while a
// window manager has the keyboard, nor a desktop that is scaled anew. Nothing is linked for this: GLFW has loaded libX11 where its
// windows are X11's. Each question costs a round trip to the server.
#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <string_view>

struct GLFWwindow;

namespace tv {

/// Of the mouse and the keyboard now, whoever they belong to; none where nobody says (Wayland).
struct PointerFacts {
  bool shift = false, button = false;  ///< Shift, the left button: down
  int x = 0, y = 0;                    ///< in the window
};
std::optional<PointerFacts> pointer_facts(GLFWwindow* window);
/// The keys that are down now, whichever program has the keyboard, by GLFW's scancodes; none on other systems than X11.
std::optional<std::bitset<256>> held_keys();
/// False when another program has destroyed the window. Asks the server, so x_errors.h must be in place.
bool window_exists(GLFWwindow* window);
/// The window's name in "x11:1e0003b", for dialogs that belong to it; empty where it has none.
std::string window_name(GLFWwindow* window);

/// How large the desktop wants text now, as a scale (Xft.dpi of the X resources / 96); none where it does not say. GLFW before 3.4 reads
/// it once, when the program begins.
std::optional<float> desktop_scale(GLFWwindow* window);
/// Xft.dpi in the text of X resources.
std::optional<float> scale_in_resources(std::string_view resources);

/// The text/uri-list of the drop that GLFW is just reporting; none where it cannot be had.
std::optional<std::string> dropped_uris(GLFWwindow* window);

}  // namespace tv
