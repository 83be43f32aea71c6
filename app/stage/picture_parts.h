// Writes a picture of the headless window, or of its timeline, a panel or a rectangle, as PNG or SVG.
#pragma once

#include <string>

#include "app/stage/headless_stage.h"

namespace tv {

/// Shows the panel that the options name. The error lists the available panels.
Result<void> show_panel(HeadlessStage& stage, const Options& options);

/// Draws the current state and writes the picture that the options ask for.
Result<void> write_picture(HeadlessStage& stage, const Options& options);

/// Writes the timeline as it is shown now. Error: there are no lanes, or the file cannot be written.
Result<void> write_timeline_svg(HeadlessStage& stage, const std::string& path);

}  // namespace tv
