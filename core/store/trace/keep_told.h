// The collective kernels of a segment with what their records say of them (told_collectives.h): for Trace::collectives.
// Cost: O(slices) where any record says so, else nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/store/clock/source_parts.h"
#include "core/store/collectives/lane_collectives.h"
#include "core/store/trace/trace.h"

namespace tv {

/// Of sources whose lanes and shifts are known, and whose slices are still there. None: nothing is told.
std::optional<std::vector<LaneCollectives>> told_lanes(std::span<const SourceParts> sources, const Trace& trace);

}  // namespace tv
