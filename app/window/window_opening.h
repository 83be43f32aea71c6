// Opens GLFW's window: at its previous place, or as large as the screen allows, with an OpenGL 3.3 core context that reports its
// loss. Main thread only; internal to window_glfw.h.
#pragma once

#include <string>

#include "app/window/window_glfw.h"

struct GLFWwindow;

namespace tv {

/// `what` failed; adds GLFW's reason and what to do about it.
Error no_display(const std::string& what);

/// The desktop's current scale; GLFW alone may only know the one from the start of the program.
float content_scale_of(GLFWwindow* window);
/// Sets the window's minimum size. `scale`: that of the screen; ignored on macOS, which scales window sizes itself.
void limit_size(GLFWwindow* window, float scale);

/// Call before glfwInit(). GLFW 3.4 tries Wayland first, and its library complains on stderr if there is no Wayland.
void leave_out_wayland_where_it_cannot_be();

/// Null on failure: no_display() gives the reason.
GLFWwindow* open_window_where_it_was(const WindowOptions& options);
void set_icon(GLFWwindow* window);

/// Selects Mesa's software driver, which is fast enough for our windows, in place of drivers that fail: over ssh, in containers,
/// after updates. Applies to drivers loaded from now on; false if there is no such choice.
bool ask_for_software_gl();

}  // namespace tv
