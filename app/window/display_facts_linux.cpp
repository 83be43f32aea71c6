#include "app/window/display_facts.h"

#include <algorithm>
#include <cstdlib>

#ifdef __linux__

#include <cstdio>

#include "core/base/shared_library.h"

// Declared as in GLFW/glfw3native.h, which needs the headers of X11. The weak ones are missing in a GLFW built only for Wayland.
extern "C" {
[[gnu::weak]] void* glfwGetX11Display();
[[gnu::weak]] unsigned long glfwGetX11Window(GLFWwindow*);
int glfwGetError(const char** description);
}

namespace tv {
namespace {

// The functions of Xlib that are used here, as its manual declares them. Window and Atom are unsigned long.
struct X11 {
  using Id = unsigned long;
  int (*query_pointer)(void*, Id, Id*, Id*, int*, int*, int*, int*, unsigned*) = nullptr;
  Id (*intern_atom)(void*, const char*, int) = nullptr;
  int (*property)(void*, Id, Id, long, long, int, Id, Id*, int*, unsigned long*, unsigned long*, unsigned char**) = nullptr;
  int (*free)(void*) = nullptr;
  int (*keymap)(void*, char*) = nullptr;
  int (*geometry)(void*, Id, Id*, int*, int*, unsigned*, unsigned*, unsigned*, unsigned*) = nullptr;

  bool complete() const { return query_pointer && intern_atom && property && free && keymap && geometry; }
};

const X11& x11() {
  static const X11 functions = [] {
    X11 found;
    const SharedLibrary library("libX11.so.6", SharedLibrary::Load::Never);
    library.find(found.query_pointer, "XQueryPointer");
    library.find(found.intern_atom, "XInternAtom");
    library.find(found.property, "XGetWindowProperty");
    library.find(found.free, "XFree");
    library.find(found.keymap, "XQueryKeymap");
    library.find(found.geometry, "XGetGeometry");
    return found;
  }();
  return functions;
}

// Null if the windows are not X11 windows.
void* display() {
  if (!glfwGetX11Display || !glfwGetX11Window || !x11().complete()) return nullptr;
  void* const found = glfwGetX11Display();
  if (!found) glfwGetError(nullptr);  // GLFW uses another platform, which is no error
  return found;
}

}  // namespace

std::optional<PointerFacts> pointer_facts(GLFWwindow* window) {
  void* const server = display();
  if (!server) return std::nullopt;
  constexpr unsigned kShiftMask = 1, kButton1Mask = 1 << 8;  // X.h
  X11::Id root = 0, child = 0;
  PointerFacts facts;
  int root_x = 0, root_y = 0;
  unsigned mask = 0;
  // The result is ignored: it is false if the mouse is on another screen, but the mask is set anyway.
  x11().query_pointer(server, glfwGetX11Window(window), &root, &child, &root_x, &root_y, &facts.x, &facts.y, &mask);
  facts.shift = (mask & kShiftMask) != 0;
  facts.button = (mask & kButton1Mask) != 0;
  return facts;
}

std::optional<std::bitset<256>> held_keys() {
  void* const server = display();
  if (!server) return std::nullopt;
  char bits[32] = {};
  x11().keymap(server, bits);
  std::bitset<256> held;
  for (std::size_t code = 0; code < held.size(); ++code) held[code] = ((bits[code / 8] >> (code % 8)) & 1) != 0;
  return held;
}

unsigned long x11_window(GLFWwindow* window) { return display() ? glfwGetX11Window(window) : 0; }

void query_window(GLFWwindow* window) {
  void* const server = display();
  if (!server) return;
  X11::Id root = 0;
  int at[2] = {};
  unsigned size[4] = {};
  x11().geometry(server, glfwGetX11Window(window), &root, &at[0], &at[1], &size[0], &size[1], &size[2], &size[3]);
}

std::string window_name(GLFWwindow* window) {
  const unsigned long id = x11_window(window);
  if (id == 0) return {};
  char name[32];
  std::snprintf(name, sizeof(name), "x11:%lx", id);
  return name;
}

std::optional<float> desktop_scale(GLFWwindow* window) {
  void* const server = display();
  if (!server) return std::nullopt;
  constexpr X11::Id kResourceManager = 23, kString = 31;  // Xatom.h
  constexpr long kMostResourceWords = 1 << 18;
  X11::Id root = 0, child = 0, type = 0;
  int ignored[4] = {}, format = 0;
  unsigned mask = 0;
  unsigned long items = 0, after = 0;
  unsigned char* data = nullptr;
  x11().query_pointer(server, glfwGetX11Window(window), &root, &child, &ignored[0], &ignored[1], &ignored[2], &ignored[3], &mask);
  if (x11().property(server, root, kResourceManager, 0, kMostResourceWords, 0, kString, &type, &format, &items, &after, &data) != 0) return std::nullopt;
  std::optional<float> scale;
  if (data && format == 8) scale = scale_in_resources({reinterpret_cast<const char*>(data), items});
  if (data) x11().free(data);
  return scale;
}

std::optional<std::string> dropped_uris(GLFWwindow* window) {
  void* const server = display();
  if (!server) return std::nullopt;
  constexpr long kMostWords = 1 << 22;  // 32-bit words
  const X11::Id selection = x11().intern_atom(server, "XdndSelection", 1);
  if (selection == 0) return std::nullopt;
  X11::Id type = 0;
  int format = 0;
  unsigned long items = 0, after = 0;
  unsigned char* data = nullptr;
  const int failed = x11().property(server, glfwGetX11Window(window), selection, 0, kMostWords, 0, 0, &type, &format, &items, &after, &data);
  std::optional<std::string> text;
  if (failed == 0 && data && format == 8 && items > 0 && after == 0) text.emplace(reinterpret_cast<const char*>(data), items);
  if (data) x11().free(data);
  return text;
}

}  // namespace tv

#else

namespace tv {

std::optional<PointerFacts> pointer_facts(GLFWwindow*) { return std::nullopt; }
std::optional<std::bitset<256>> held_keys() { return std::nullopt; }
unsigned long x11_window(GLFWwindow*) { return 0; }
void query_window(GLFWwindow*) {}
std::string window_name(GLFWwindow*) { return {}; }
std::optional<float> desktop_scale(GLFWwindow*) { return std::nullopt; }
std::optional<std::string> dropped_uris(GLFWwindow*) { return std::nullopt; }

}  // namespace tv

#endif

namespace tv {

std::optional<float> scale_in_resources(std::string_view resources) {
  constexpr std::string_view kDpi = "Xft.dpi:";
  constexpr float kUsual = 96, kMost = 8;
  for (std::size_t at = 0; at < resources.size();) {
    const std::size_t end = std::min(resources.find('\n', at), resources.size());
    const std::string_view line = resources.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(kDpi)) continue;
    const float dpi = std::strtof(std::string(line.substr(kDpi.size())).c_str(), nullptr);
    if (dpi > 0 && dpi <= kMost * kUsual) return dpi / kUsual;
  }
  return std::nullopt;
}

}  // namespace tv
