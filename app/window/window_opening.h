// How GLFW's window is opened: where it stood the last time, or as large as the screen allows, with an OpenGL 3.3 core
// context that says when the driver has lost it. Main thread; window_glfw.h is what the rest of the program knows.
#pragma once

#include <string>

#include "app/window/window_glfw.h"

struct GLFWwindow;

namespace tv {

/// `what` cannot be done, why GLFW says so, and what to do about it.
Error no_display(const std::string& what);

/// The desktop's present one, where GLFW knows only the one that was when the program began.
float content_scale_of(GLFWwindow* window);
/// In the units of the window's size, which are pixels where the screen's scale is not hidden from us.
void limit_size(GLFWwindow* window, float scale);

/// Call before glfwInit(). GLFW 3.4 tries Wayland first, and its library complains on stderr where there is no Wayland.
void leave_out_wayland_where_it_cannot_be();

/// Null where that cannot be done: no_display() says why.
GLFWwindow* open_window_where_it_was(const WindowOptions& options);
void set_icon(GLFWwindow* window);

/// Drivers fail over ssh, in containers and after updates; Mesa's software driver draws our windows well enough. For
/// what is loaded of it from now on; false where there is no such choice.
bool ask_for_software_gl();

}  // namespace tv
