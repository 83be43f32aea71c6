// Collects a segment's collective kernels, and which collective each belongs to by its record (told_collectives.h), for
// Trace::collectives. Cost: O(slices) on all threads if any record names its collective, otherwise nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/clock/source_parts.h"
#include "core/store/collectives/lane_collectives.h"
#include "core/store/trace/trace.h"

namespace tv {

/// To be called when the lanes and shifts of `sources` are known, and before their slices are moved into the trace. None: no record
/// names its collective.
std::optional<std::vector<LaneCollectives>> collectives_by_record(std::span<const SourceParts> sources, const Trace& trace, ThreadPool& pool);

}  // namespace tv
