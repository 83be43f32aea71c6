// Draws the part of the timeline that each finding of a report is about: the lanes and the ruler, in a window without a display.
// The loaded snapshot is reused, so no file is read again. Without OpenGL there are no pictures. Cost: 0.2 s for the window, 0.1
// s per picture.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/line/options.h"
#include "core/analysis/findings/findings.h"
#include "core/index/snapshot.h"
#include "ui/gl/image.h"

namespace tv {

/// One entry per finding, in the same order; none if the finding has no time range.
std::vector<std::optional<Image>> timeline_pictures(const Options& options,
                                                    const std::shared_ptr<const Snapshot>& snapshot,
                                                    const std::vector<Finding>& found);

}  // namespace tv
