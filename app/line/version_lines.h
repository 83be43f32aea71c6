// Texts about the version, for --version, --diagnose, "About" and reports.
#pragma once

#include <string>

namespace tv {

std::string version_text();   ///< "0.4.0 (0123456789)"
std::string compiler_text();  ///< "gcc 12.2 for every x86-64-v2 processor"
std::string libraries_text();  ///< "Dear ImGui 1.86, GLFW 3.3.8 X11 ..., fmt 9.1.0, ..."

/// All three, one per line, as printed by --version.
std::string version_lines();

}  // namespace tv
