// What this program is and what it runs on, for people who report something: a line per fact, copied with one button.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/widgets/area.h"

namespace tv {

/// "version", "0.4 (abc)": app/window/diagnostics.h makes them.
using AboutLines = std::vector<std::pair<std::string, std::string>>;

std::string about_text(const AboutLines& lines);  ///< as `traceview --diagnose` prints it

/// False when it is to be closed.
bool draw_about(const PanelContext& context, const Area& window, const AboutLines& lines);

}  // namespace tv
