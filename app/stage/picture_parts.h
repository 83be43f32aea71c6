// Writes a picture of the headless window, or of its timeline, a panel or a rectangle, as PNG or SVG.
#pragma once

#include <string>

#include "app/stage/headless_stage.h"

namespace tv {

/// Shows the panel that the options name. The error lists the available panels.
Result<void> show_panel(HeadlessStage& stage, const Options& options);

/// Draws the current state. Returns the bytes of the picture that the options ask for: PNG or SVG.
Result<std::string> draw_picture(HeadlessStage& stage, const Options& options);
/// Writes these bytes to the options' output.
Result<void> write_picture(const Options& options, const std::string& bytes);

/// Writes the timeline as it is shown now. Error: there are no lanes, or the file cannot be written.
Result<void> write_timeline_svg(HeadlessStage& stage, const std::string& path);

}  // namespace tv
