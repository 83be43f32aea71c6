// Crops a batch to a time window. Begin and end events (halves) are all kept until they are joined, because only then do we know
// which slices touch the window.
#pragma once

#include "core/store/draft/event_batch.h"
#include "core/store/logs/rollout_log.h"

namespace tv {

/// Keeps slices that touch the window, points in it, and the sum of earlier counter changes. Times are the file's own.
void crop(EventBatch& batch, TimeRange window);
void crop(SliceColumns& slices, TimeRange window);
/// The requests and phases that touch the window.
RolloutLog crop(const RolloutLog& log, TimeRange window);

/// Keeps only what determines the extent and work of the batch (work_extent.h), the collectives that align clocks
/// (unit_clocks.h), and the names of profiler steps.
EventBatch outline_of(const EventBatch& batch);

}  // namespace tv
