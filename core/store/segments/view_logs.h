// The logs of a view: those of its segments, one after the other, at their times in the view.
//
// Lines of rollouts are shared if possible, and then cost nothing: with the earlier view, as far as both begin with the same
// parts; otherwise with the first segment, if it is not shifted.
//
//   before   step 1 ... 40 | step 41
//   view     step 1 ... 40 | step 41, longer | step 42
//            └── shared ──┘
#pragma once

#include <cstddef>

#include "core/store/trace/trace.h"

namespace tv {

/// Adds the logs to a view whose parts have their places. `earlier`: the previous view, or null; it does not change the result.
/// Cost: the lines that are not shared, and the tables of files.
void add_logs(Trace& view, const Trace* earlier);

/// The number of leading parts that have the same rollout lines at the same places in both views; parts without rollout lines may
/// otherwise differ. A segment is a view of one part.
std::size_t same_log_parts(const Trace& view, const Trace& earlier);

}  // namespace tv
