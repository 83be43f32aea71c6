// Makes the logs of a view: those of its segments, one after the other, with times in the view.
//
// Lines of rollouts are shared with the earlier view, as far as both views begin with the same parts; if they do not, with the
// first segment, if that is not shifted. Shared lines cost nothing.
//
//   before   step 1 ... 40 | step 41
//   view     step 1 ... 40 | step 41, longer | step 42
//            └── shared ──┘
#pragma once

#include <cstddef>

#include "core/store/trace/trace.h"

namespace tv {

/// The parts of `view` must have been placed. `earlier`: the previous view, or null; it does not change the result.
/// Cost: the lines that are not shared, and the tables of files.
void add_logs(Trace& view, const Trace* earlier);

/// How many of the first parts have the same rollout lines at the same times in both views. Parts without rollout lines count as
/// equal. A segment counts as a view of one part.
std::size_t same_log_parts(const Trace& view, const Trace& earlier);

}  // namespace tv
