// What this program is and what it runs on, in lines: for the dialog "About", for `traceview --diagnose`, for reports. Nothing of
// what was opened is in it.
#pragma once

#include <string>
#include <vector>

#include "ui/gl/gl_api.h"
#include "ui/panels/boxes/about_panel.h"

namespace tv {

/// `gl`: of the window, whose context is current. `fonts`: their files.
AboutLines diagnostics(const GlApi& gl, const std::vector<std::string>& fonts);

}  // namespace tv
