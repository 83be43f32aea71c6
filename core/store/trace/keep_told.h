// Collects a segment's collective kernels with what their records say about them (told_collectives.h), for Trace::collectives.
// Cost: O(slices) on all threads if any record says something, otherwise nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/clock/source_parts.h"
#include "core/store/collectives/lane_collectives.h"
#include "core/store/trace/trace.h"

namespace tv {

/// `sources` must have their lanes and shifts, and still hold their slices. None: no record says anything.
std::optional<std::vector<LaneCollectives>> told_lanes(std::span<const SourceParts> sources, const Trace& trace, ThreadPool& pool);

}  // namespace tv
