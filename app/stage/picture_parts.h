// What of the headless window goes into a picture: all of it, the timeline, a panel, a part; as PNG or as SVG.
#pragma once

#include <string>

#include "app/stage/headless_stage.h"

namespace tv {

/// Brings the panel that the options name into sight; an error says which there are.
Result<void> show_panel(HeadlessStage& stage, const Options& options);

/// Writes the picture that the options ask for, of what is shown.
Result<void> write_picture(HeadlessStage& stage, const Options& options);

/// The timeline as it is shown now.
Result<void> write_timeline_svg(HeadlessStage& stage, const std::string& path);

}  // namespace tv
