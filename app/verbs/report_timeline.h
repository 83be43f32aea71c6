// Pictures of the timeline at the places that a report speaks of: the window without a display, only its lanes with
// ruler and minimap. What is loaded is shown; nothing is read again. Without GL there are none. Cost: 0.2 s for the
// window, 0.1 s each.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/line/options.h"
#include "core/analysis/findings/findings.h"
#include "core/index/snapshot.h"
#include "ui/gl/image.h"

namespace tv {

/// As the findings; none for those that have no place.
std::vector<std::optional<Image>> timeline_pictures(const Options& options,
                                                    const std::shared_ptr<const Snapshot>& snapshot,
                                                    const std::vector<Finding>& found);

}  // namespace tv
