// Crops a batch to a time window. Begin and end events (halves) are kept until they are joined, because only then is it known
// which slices touch the window.
#pragma once

#include "core/base/clock_time.h"
#include "core/store/draft/event_batch.h"
#include "core/store/logs/rollout_log.h"

namespace tv {

/// Keeps slices that touch the window, points in the window, and the sum of earlier counter changes.
void crop(EventBatch& batch, FileRange window);
void crop(SliceColumns& slices, FileRange window);
/// The requests and phases that touch the window.
RolloutLog crop(const RolloutLog& log, FileRange window);

/// A small batch with the same extent and work (work_extent.h), the same collectives (unit_clocks.h), and the same names of
/// profiler steps.
EventBatch outline_of(const EventBatch& batch);

}  // namespace tv
