#include "app/line/version_lines.h"

#include <fmt/format.h>
#include <imgui.h>

#include <CLI/Version.hpp>

#include "app/window/window_glfw.h"
#include "core/read/library_versions.h"
#include "tv_version.h"
#include "ui/widgets/text/font_files.h"

namespace tv {

std::string version_text() { return fmt::format("{} ({})", TV_VERSION, TV_GIT_HASH); }

std::string compiler_text() {
#if defined(__clang__)
  const std::string compiler = fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#elif defined(__GNUC__)
  const std::string compiler = fmt::format("gcc {}.{}", __GNUC__, __GNUC_MINOR__);
#else
  const std::string compiler = "an unknown compiler";
#endif
  return compiler + " " + TV_BUILT_FOR;
}

std::string libraries_text() {
  LibraryVersions all = {{"Dear ImGui", IMGUI_VERSION}, {"GLFW", glfw_version()}, {"fontconfig", fontconfig_version()}, {"CLI11", CLI11_VERSION}};
  for (auto& each : core_library_versions()) all.push_back(std::move(each));
  std::string text;
  for (const auto& [name, version] : all) text += (text.empty() ? "" : ", ") + name + " " + version;
  return text;
}

std::string version_lines() {
  return fmt::format("traceview {}\nbuilt with {}\nlibraries: {}", version_text(), compiler_text(), libraries_text());
}

}  // namespace tv
