// Keeps the part of a batch that touches a time range. Begin and end events (halves) stay until they are joined: only then is it
// known which slices touch the window.
#pragma once

#include "core/store/draft/event_batch.h"
#include "core/store/logs/rollout_log.h"

namespace tv {

/// The slices and flow points that touch the window, the instants and samples in it. Times are the file's own.
void crop(EventBatch& batch, TimeRange window);
void crop(SliceColumns& slices, TimeRange window);
/// The requests and phases that touch the window.
RolloutLog crop(const RolloutLog& log, TimeRange window);

/// Keeps only what determines the begin, work and end of the batch (work_extent.h), and the kernels by which clocks are compared
/// (unit_clocks.h).
EventBatch outline_of(const EventBatch& batch);

}  // namespace tv
