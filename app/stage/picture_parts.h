// Chooses the part of the headless window for a picture: all of it, the timeline, a panel, a part; writes PNG or SVG.
#pragma once

#include <string>

#include "app/stage/headless_stage.h"

namespace tv {

/// Shows the panel that the options name; the error lists the existing panels.
Result<void> show_panel(HeadlessStage& stage, const Options& options);

/// Draws the current state and writes the picture that the options ask for.
Result<void> write_picture(HeadlessStage& stage, const Options& options);

/// Writes the timeline as it is shown now.
Result<void> write_timeline_svg(HeadlessStage& stage, const std::string& path);

}  // namespace tv
