// Keeps the part of a batch that touches a stretch of time. Begin and end events (halves) stay until they are joined:
// only then do we know which slices touch the window.
#pragma once

#include "core/store/draft/event_batch.h"
#include "core/store/logs/rollout_log.h"

namespace tv {

/// The slices and flow points that touch the window, the instants and samples in it. Times are the file's own.
void crop(EventBatch& batch, TimeRange window);
void crop(SliceColumns& slices, TimeRange window);
/// The requests and phases that touch the window.
RolloutLog crop(const RolloutLog& log, TimeRange window);

/// Nothing but what tells when the batch begins, works and ends (work_extent.h), and the kernels by which clocks are compared (unit_clocks.h).
EventBatch outline_of(const EventBatch& batch);

}  // namespace tv
