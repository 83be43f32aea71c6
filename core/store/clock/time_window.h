// Crops a batch to a time window. Begin and end events (halves) are kept until they are joined, because only then is it known
// which slices touch the window.
#pragma once

#include "core/store/draft/event_batch.h"
#include "core/store/logs/rollout_log.h"

namespace tv {

/// Keeps slices that touch the window, points in the window, and the sum of earlier counter changes. Times are in the file's
/// clock.
void crop(EventBatch& batch, TimeRange window);
void crop(SliceColumns& slices, TimeRange window);
/// The requests and phases that touch the window.
RolloutLog crop(const RolloutLog& log, TimeRange window);

/// A small batch with the same extent and work (work_extent.h), the same collectives (unit_clocks.h), and the same names of
/// profiler steps.
EventBatch outline_of(const EventBatch& batch);

}  // namespace tv
