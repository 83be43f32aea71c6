#include "app/diagnostics.h"

#include <fmt/core.h>
#include <fmt/format.h>
#include <imgui.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "app/headless.h"
#include "app/window_glfw.h"
#include "app/window_offscreen.h"
#include "core/base/memory.h"
#include "core/base/process.h"
#include "core/io/child_process.h"
#include "core/io/user_folders.h"
#include "tv_version.h"

namespace tv {
namespace {

std::string gl_text(const GlApi& gl, GLenum what) {
  const auto* const text = gl.GetString(what);
  return text ? reinterpret_cast<const char*>(text) : "unknown";
}

std::string home_as_tilde(const std::string& path) {
  const char* const home = std::getenv("HOME");
  const std::string own = home ? home : "";
  if (path.empty()) return "none (no home folder)";
  return own.size() > 1 && path.starts_with(own + "/") ? "~" + path.substr(own.size()) : path;
}

// What a report of a missing feature is mostly about.
std::string helpers() {
  std::string found;
  for (const char* program : {"xclip", "wl-copy", "zenity", "kdialog", "nsys"}) {
    const bool there = !find_program(program).empty();
    found += fmt::format("{}{} {}", found.empty() ? "" : ", ", program, there ? "found" : "not found");
  }
  return found;
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#elif defined(__GNUC__)
  return fmt::format("gcc {}.{}", __GNUC__, __GNUC_MINOR__);
#else
  return "an unknown compiler";
#endif
}

std::string display_name() {
  std::string names;
  for (const char* variable : {"XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "WAYLAND_DISPLAY", "DISPLAY"}) {
    const char* const value = std::getenv(variable);
    if (value && *value) names += fmt::format("{}{}={}", names.empty() ? "" : ", ", variable, value);
  }
  return names.empty() ? "none" : names;
}

AboutLines lines_without_gl(const std::vector<std::string>& fonts) {
  std::string files;
  for (const std::string& file : fonts) files += (files.empty() ? "" : ", ") + file;
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  return {
      {"Version", version_text() + ", built with " + compiler()},
      {"Libraries", fmt::format("Dear ImGui {}, GLFW {}, fmt {}.{}.{}", IMGUI_VERSION, glfw_version(), FMT_VERSION / 10000,
                                FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"System", system_name()},
      {"Display", display_name()},
      {"Fonts", files.empty() ? "none found: ImGui's own, Latin letters only" : files},
      {"Settings", home_as_tilde(config_folder())},
      {"State", home_as_tilde(state_folder())},
      {"Cache", home_as_tilde(cache_folder())},
      {"Limits", fmt::format("{} threads, {:.1f} GiB of memory available", std::thread::hardware_concurrency(),
                             static_cast<double>(available_memory()) / kGiB)},
      {"Programs", helpers()},
      {"Network", "none: nothing is sent, nothing is fetched"},
  };
}

}  // namespace

std::string version_text() { return fmt::format("{} ({})", TV_VERSION, TV_GIT_HASH); }

AboutLines diagnostics(const GlApi& gl, const std::vector<std::string>& fonts) {
  AboutLines lines = lines_without_gl(fonts);
  GLint largest = 0;
  gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  lines.insert(lines.begin() + 2, {"Graphics", fmt::format("OpenGL {}, {}, textures up to {}", gl_text(gl, GL_VERSION), gl_text(gl, GL_RENDERER), largest)});
  return lines;
}

// traceview --diagnose: the same, with the driver that draws without a display.
int run_diagnose() {
  Keys keys;
  Fonts fonts;
  auto window = OffscreenWindow::create({64, 64}, keys, fonts);
  AboutLines lines;
  if (window) {
    window->begin_frame();  // fonts are found when they are needed
    ImGui::EndFrame();
    lines = diagnostics(window->gl(), fonts.files());
  } else {
    lines = lines_without_gl({});
    lines.insert(lines.begin() + 2, {"Graphics", "none: " + window.error().text()});
  }
  std::fputs(about_text(lines).c_str(), stdout);
  return 0;
}

}  // namespace tv
