// The real window, on its own X server (Xvfb).
#include "app/window/window_glfw.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <thread>

#include "imgui.h"
#include "tests/support/skip.h"
#include "tests/ui/x_server.h"
#include "ui/widgets/theme.h"

using namespace tv;
using namespace tv::test;

namespace {

struct WindowParts {
  XServer server;
  Keys keys;
  Fonts fonts;
  std::optional<Window> window;
};

/// False if there is no Xvfb.
bool open(WindowParts& desk) {
  if (!desk.server.runs()) {
    skip("not installed: Xvfb");
    return false;
  }
  auto window =
      Window::create({.title = "test \u4e2d\u6587", .width = 320, .height = 200}, desk.keys, desk.fonts);
  REQUIRE_MESSAGE(window.ok(), (window ? "" : window.error().text()));
  desk.window.emplace(std::move(*window));
  return true;
}

}  // namespace

TEST_CASE("window: without a display the error names an alternative") {
  const auto value_of = [](const char* name) {
    const char* value = std::getenv(name);
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
  const auto display = value_of("DISPLAY"), wayland = value_of("WAYLAND_DISPLAY");
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  Keys keys;
  Fonts fonts;
  const auto window = Window::create({}, keys, fonts);
  if (display) setenv("DISPLAY", display->c_str(), 1);
  if (wayland) setenv("WAYLAND_DISPLAY", wayland->c_str(), 1);
#ifdef __linux__
  REQUIRE(!window.ok());
  CHECK(window.error().text().find("traceview screenshot") != std::string::npos);
  CHECK(window.error().text().find("DISPLAY") != std::string::npos);
#endif
}

TEST_CASE("window: a rectangle and the background appear as drawn") {
  WindowParts desk;
  if (!open(desk)) return;
  Image image;
  for (int i = 0; i < 3; ++i) {
    desk.window->wait(0);
    desk.window->begin_frame();
    ImGui::GetBackgroundDrawList()->AddRectFilled({10, 20}, {30, 40}, rgba(255, 0, 0));
    desk.window->end_frame(rgba(0, 0, 255), &image);
  }
  REQUIRE(image.width >= 320);
  CHECK(image.at(5, 5) == rgba(0, 0, 255));
  CHECK(image.at(10, 20) == rgba(255, 0, 0));
  CHECK(image.at(30, 40) == rgba(0, 0, 255));
  CHECK(desk.window->content_scale() >= 1);
  CHECK(desk.window->ui_scale() >= 1);
  CHECK(!desk.window->should_close());
  CHECK(desk.window->take_dropped().empty());
}

TEST_CASE("window: an endless wait ends when another thread wakes it") {
  WindowParts desk;
  if (!open(desk)) return;
  while (desk.window->wait(0.2)) {
  }  // the events of opening
  std::jthread other([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    Window::wake();
  });
  CHECK(desk.window->wait(std::numeric_limits<double>::infinity()));
  other.join();

  Window::wake();  // before the wait: not lost
  CHECK(desk.window->wait(10));
  CHECK(!desk.window->wait(0.05));
}

TEST_CASE("window: the clipboard keeps its text, and a requested close is reported") {
  WindowParts desk;
  if (!open(desk)) return;
  desk.window->set_title("other");
  desk.window->set_clipboard("12 \u03bcs");
  CHECK(desk.window->clipboard() == "12 \u03bcs");
  desk.window->request_close();
  CHECK(desk.window->should_close());
}
