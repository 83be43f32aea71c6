// What the logs of a view say: what its segments' logs do, one after the other, at their times in the view.
//
// Lines of rollouts are shared, where that is possible, and then cost nothing: with the view before, of the parts that both begin
// with; else with the first segment, where its lines are the same in the view.
//
//   before   step 1 ... 40 | step 41
//   view     step 1 ... 40 | step 41, longer | step 42
//            └── shared ──┘
#pragma once

#include "core/store/trace/trace.h"

namespace tv {

/// To a view whose parts have their places. `earlier`: the view before, or null; what comes out is the same. Cost: the lines that
/// are not shared, and the texts.
void add_logs(Trace& view, const Trace* earlier);

}  // namespace tv
