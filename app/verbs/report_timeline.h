// Pictures of the timeline at the places of a report's findings: lanes with ruler and minimap, drawn by the window without a
// display. They show the loaded data; nothing is read again. Without GL there are no pictures. Cost: 0.2 s for the window, 0.1 s
// each.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/line/options.h"
#include "core/analysis/findings/findings.h"
#include "core/index/snapshot.h"
#include "ui/gl/image.h"

namespace tv {

/// In the order of the findings; none for findings without a place.
std::vector<std::optional<Image>> timeline_pictures(const Options& options,
                                                    const std::shared_ptr<const Snapshot>& snapshot,
                                                    const std::vector<Finding>& found);

}  // namespace tv
