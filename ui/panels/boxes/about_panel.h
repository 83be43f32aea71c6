// The program's version and environment, for bug reports: a line per fact, copied with one button.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/widgets/area.h"

namespace tv {

/// "version", "0.4 (abc)": made by app/window/diagnostics.h.
using AboutLines = std::vector<std::pair<std::string, std::string>>;

std::string about_text(const AboutLines& lines);  ///< as `traceview --diagnose` prints it

/// Returns false if it should be closed.
bool draw_about(const PanelContext& context, const Area& window, const AboutLines& lines);

}  // namespace tv
