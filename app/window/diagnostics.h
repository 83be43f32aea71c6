// Version and environment of the program, in lines: for the dialog "About", for `traceview --diagnose`, for bug reports. It
// contains nothing about the opened files.
#pragma once

#include <string>
#include <vector>

#include "ui/gl/gl_api.h"
#include "ui/panels/boxes/about_panel.h"

namespace tv {

/// `gl`: the window's, whose context must be current. `fonts`: the font files in use.
AboutLines diagnostics(const GlApi& gl, const std::vector<std::string>& fonts);

}  // namespace tv
