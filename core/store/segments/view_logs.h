// The logs of a view: those of its segments, one after the other, at their times in the view.
//
// Lines of rollouts are shared if possible, and then cost nothing: with the earlier view, for the parts that both begin
// with; else with the first segment, if its lines are the same in the view.
//
//   before   step 1 ... 40 | step 41
//   view     step 1 ... 40 | step 41, longer | step 42
//            └── shared ──┘
#pragma once

#include <cstddef>

#include "core/store/trace/trace.h"

namespace tv {

/// To a view whose parts have their places. `earlier`: the view before, or null; what comes out is the same. Cost: the lines that
/// are not shared, and the tables of files.
void add_logs(Trace& view, const Trace* earlier);

/// How many of the first parts of two views have the same lines of rollouts at the same places; what else is in a part may differ
/// where it has none. A segment is a view of one part.
std::size_t same_log_parts(const Trace& view, const Trace& earlier);

}  // namespace tv
