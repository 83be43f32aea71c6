// The times at which the two ends of an arrow are written, so that a reader finds the slices that the arrow connects. Trace Event
// files bind an end by thread and time: to a slice that begins then, or else to the innermost one that covers the time
// (bind_flows.h). The begin of a slice nearly always works. If another slice begins inside it at the same time, we search for a
// later moment that no inner slice covers. Cost: O(rows of the lane * log slices) for each end.
#pragma once

#include <optional>

#include "core/store/trace/trace.h"

namespace tv {

struct FlowPlace {
  Ns from, to;
  bool exact;  ///< false: at least one of the slices has no moment at which the arrow binds to it
};

FlowPlace place_flow(const Trace& trace, const Flow& flow);

}  // namespace tv
