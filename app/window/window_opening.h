// Opens GLFW's window with an OpenGL 3.3 core context that reports its loss. The window opens at its previous place, else no larger
// than the screen. Main thread only; internal to window_glfw.h.
#pragma once

#include <string>

#include "app/window/window_glfw.h"

struct GLFWwindow;

namespace tv {

/// An error that says `what`, GLFW's reason and the remedy.
Error no_display(const std::string& what);

/// The desktop's current scale. GLFW may only know the scale at the start of the program.
float content_scale_of(GLFWwindow* window);
/// Sets the window's minimum size. `scale` is the screen's; it is ignored on macOS, which scales window sizes itself.
void limit_size(GLFWwindow* window, float scale);

/// Makes GLFW use X11 if there is no Wayland display. GLFW 3.4 tries Wayland first, and the Wayland library then complains on
/// stderr. Call before glfwInit().
void skip_absent_wayland();

/// Null on failure; no_display() gives the reason.
GLFWwindow* open_window_at_previous_place(const WindowOptions& options);
void set_icon(GLFWwindow* window);

/// Selects Mesa's software driver, which is fast enough for our windows, instead of drivers that fail: over ssh, in containers,
/// after updates. Affects drivers that are loaded from now on. False if the system offers no such choice.
bool select_software_gl();

}  // namespace tv
