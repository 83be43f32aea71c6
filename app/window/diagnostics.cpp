#include "app/window/diagnostics.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "app/line/version_lines.h"
#include "app/stage/window_offscreen.h"
#include "app/verbs/headless.h"
#include "core/base/memory/memory.h"
#include "core/base/process.h"
#include "core/base/text/count_text.h"
#include "core/io/files/folder_events.h"
#include "core/io/system/child_process.h"
#include "core/io/written/user_folders.h"
#include "core/session/held/index_cache.h"

namespace tv {
namespace {

std::string gl_text(const GlApi& gl, GLenum what) {
  const auto* const text = gl.GetString(what);
  return text ? reinterpret_cast<const char*>(text) : "unknown";
}

std::string home_as_tilde(const std::string& path) {
  const char* const home = std::getenv("HOME");
  const std::string home_text = home ? home : "";
  if (path.empty()) return "none (no home folder)";
  return home_text.size() > 1 && path.starts_with(home_text + "/") ? "~" + path.substr(home_text.size()) : path;
}

// A missing helper program explains most reports of a missing feature.
std::string helpers() {
  std::string found;
  for (const char* program : {"xclip", "wl-copy", "zenity", "kdialog", "nsys"}) {
    const bool there = !find_program(program).empty();
    found += fmt::format("{}{} {}", found.empty() ? "" : ", ", program, there ? "found" : "not found");
  }
  return found;
}

// The index cache grows unnoticed, so its size is shown.
std::string cache_text() {
  const std::string folder = cache_folder();
  std::uint64_t bytes = 0;
  const std::vector<CacheEntry> entries = folder.empty() ? std::vector<CacheEntry>{} : cache_entries(folder);
  for (const CacheEntry& entry : entries) bytes += entry.bytes;
  return fmt::format("{}, {}, {:.1f} MB", home_as_tilde(folder), count_text(entries.size(), "file"), static_cast<double>(bytes) / 1e6);
}

std::string limits_text() {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  std::string text = fmt::format("{} threads, {:.1f} GiB of memory available", std::thread::hardware_concurrency(),
                                 static_cast<double>(available_memory()) / kGiB);
  if (const auto files = most_open_files()) text += fmt::format(", {} open files", *files);
  if (const auto folders = most_watched_folders()) text += fmt::format(", {} watched folders", *folders);
  return text;
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
  return {
      {"Version", version_text() + ", built with " + compiler_text()},
      {"Libraries", libraries_text()},
      {"System", system_name()},
      {"Display", display_name()},
      {"Fonts", files.empty() ? "none found: ImGui's own, Latin letters only" : files},
      {"Settings", home_as_tilde(config_folder())},
      {"State", home_as_tilde(state_folder())},
      {"Cache", cache_text()},
      {"Limits", limits_text()},
      {"Programs", helpers()},
      {"Network", "none: nothing is sent, nothing is fetched"},
  };
}

}  // namespace

AboutLines diagnostics(const GlApi& gl, const std::vector<std::string>& fonts) {
  AboutLines lines = lines_without_gl(fonts);
  GLint largest = 0;
  gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  lines.insert(lines.begin() + 2, {"Graphics", fmt::format("OpenGL {}, {}, textures up to {}", gl_text(gl, GL_VERSION), gl_text(gl, GL_RENDERER), largest)});
  return lines;
}

// traceview --diagnose: prints diagnostics() for the driver that draws offscreen.
int run_diagnose() {
  Keys keys;
  Fonts fonts;
  auto window = OffscreenWindow::create({64, 64}, keys, fonts);
  AboutLines lines;
  if (window) {
    window->begin_frame();  // loads the fonts for files()
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
