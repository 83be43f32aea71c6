// The dialog "About": the program's version and environment, a line per fact. A button copies them for a bug report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/widgets/area.h"

namespace tv {

/// Pairs such as "Version", "0.4 (abc)", made by app/window/diagnostics.h.
using AboutLines = std::vector<std::pair<std::string, std::string>>;

std::string about_text(const AboutLines& lines);  ///< as `traceview --diagnose` prints it

/// Returns false if the user closes the dialog.
bool draw_about(const PanelContext& context, const Area& window, const AboutLines& lines);

}  // namespace tv
