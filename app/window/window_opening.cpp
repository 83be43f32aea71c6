#include "app/window/window_opening.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "app/window/display_facts.h"
#include "app/window/window_icon.h"
#include "core/base/process.h"
#include "core/view/panels/window_layout.h"

namespace tv {
namespace {

constexpr int kWindowFrame = 48;  // height of the window manager's frame, mainly above the window

std::string last_glfw_error() {
  const char* text = nullptr;
  return glfwGetError(&text) != GLFW_NO_ERROR && text ? text : "no reason given";
}

GLFWwindow* open_window(const WindowOptions& options) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);  // to report a loss; ignored by drivers that cannot
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_VISIBLE, options.visible);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "traceview");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "traceview");
#ifdef GLFW_WAYLAND_APP_ID
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "traceview");  // the name of traceview.desktop
#endif
  GLFWwindow* const window = glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
  if (window) limit_size(window, content_scale_of(window));
  return window;
}

std::vector<ScreenPart> screens() {
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  std::vector<ScreenPart> parts;
  for (int i = 0; i < count; ++i) {
    ScreenPart part;
    glfwGetMonitorWorkarea(monitors[i], &part.x, &part.y, &part.width, &part.height);
    parts.push_back(part);
  }
  return parts;
}

/// Opens the window at its previous place. It is hidden until it is there, so that it does not jump.
GLFWwindow* open_window_at(const WindowOptions& options, const WindowPlace& place) {
  WindowOptions hidden = options;
  hidden.visible = false;
  GLFWwindow* const window = open_window(hidden);
  if (!window) return nullptr;
  glfwSetWindowSize(window, place.width, place.height);
  glfwSetWindowPos(window, place.x, place.y);
  if (place.maximised) glfwMaximizeWindow(window);
  if (options.visible) glfwShowWindow(window);
  return window;
}

}  // namespace

Error no_display(const std::string& what) {
  // GLFW before 3.4 supports only one kind of display. Its version string names it: "3.3.8 X11 GLX EGL OSMesa ...".
  const std::string version = glfwGetVersionString();
  const bool wayland = version.find("Wayland") != std::string::npos;
  return Error{what + ": " + last_glfw_error(),
               {},
               {},
               std::string(wayland ? "check DISPLAY or WAYLAND_DISPLAY" : "check DISPLAY; this GLFW opens windows only on X11, so "
                                     "WAYLAND_DISPLAY does not help") + "; to draw into a file instead: traceview screenshot FILES -o view.png"};
}

float content_scale_of(GLFWwindow* window) {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window, &x, &y);
  return desktop_scale(window).value_or(x);
}

void limit_size(GLFWwindow* window, [[maybe_unused]] float scale) {
#ifdef __APPLE__
  scale = 1;
#endif
  glfwSetWindowSizeLimits(window, static_cast<int>(kLeastWindowWidth * scale), static_cast<int>(kLeastWindowHeight * scale),
                          GLFW_DONT_CARE, GLFW_DONT_CARE);
}

GLFWwindow* open_window_at_previous_place(const WindowOptions& options) {
  const auto place = options.place ? place_on_screens(*options.place, screens()) : std::nullopt;
  if (place) return open_window_at(options, *place);
  WindowOptions fitting = options;  // for a screen that is smaller than the preferred size
  GLFWmonitor* const first = glfwGetPrimaryMonitor();
  if (const std::vector<ScreenPart> all = screens(); first && !all.empty()) {
    float scale = 1, ignored = 1;  // GLFW multiplies a new window's size by this
    glfwGetMonitorContentScale(first, &scale, &ignored);
    const auto fits = [scale](int pixels) { return static_cast<int>(static_cast<float>(pixels) / std::max(1.0f, scale)); };
    fitting.width = std::min(fitting.width, fits(all.front().width));
    fitting.height = std::min(fitting.height, fits(all.front().height - kWindowFrame));
  }
  return open_window(fitting);
}

void skip_absent_wayland() {
#ifdef GLFW_PLATFORM_X11
  const auto value = [](const char* name) {
    const char* const found = std::getenv(name);
    return std::string_view(found ? found : "");
  };
  const bool has_folder = value("XDG_RUNTIME_DIR").starts_with('/'), has_path = value("WAYLAND_DISPLAY").starts_with('/');
  if (!has_folder && !has_path && value("WAYLAND_SOCKET").empty()) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
}

void set_icon(GLFWwindow* window) {
  std::vector<Image> pictures;
  for (const int size : {16, 24, 32, 48, 64, 128}) pictures.push_back(icon_pixels(size));
  std::vector<GLFWimage> images;
  for (Image& each : pictures) {
    images.push_back({each.width, each.height, reinterpret_cast<unsigned char*>(each.pixels.data())});
  }
  glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

bool select_software_gl() {
  set_environment("LIBGL_ALWAYS_SOFTWARE", "1");  // read by Mesa, wherever it is installed
  set_environment("__GLX_VENDOR_LIBRARY_NAME", "mesa");
  return true;
}

}  // namespace tv
