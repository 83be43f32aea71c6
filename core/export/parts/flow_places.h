// Where in time the two ends of an arrow are written, so that a reader finds the slices it was between: Trace Event
// files bind arrows by thread and time, to a slice that begins there, else to the innermost around it (bind_flows.h).
// The begin of a slice will nearly always do; where another one begins inside it at the same time, a moment later is
// looked for that nothing else covers. Cost: O(rows of the lane * log slices) for each end.
#pragma once

#include <optional>

#include "core/store/trace/trace.h"

namespace tv {

struct FlowPlace {
  Ns from, to;
  bool exact;  ///< false: one of the slices has no moment at which the arrow would bind to it
};

FlowPlace place_flow(const Trace& trace, const Flow& flow);

}  // namespace tv
