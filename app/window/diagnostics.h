// Lines about the program's version and environment, for the dialog "About", `traceview --diagnose` and bug reports. They contain
// nothing about the opened files.
#pragma once

#include <string>
#include <vector>

#include "ui/gl/gl_api.h"
#include "ui/panels/boxes/about_panel.h"

namespace tv {

/// `gl`: that of the window; its context must be current. `fonts`: the font files in use.
AboutLines diagnostics(const GlApi& gl, const std::vector<std::string>& fonts);

}  // namespace tv
