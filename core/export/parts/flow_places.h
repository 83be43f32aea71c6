// The times at which the two ends of an arrow are written, so that a reader finds the slices it connects. Trace Event files bind
// arrows by thread and time, to a slice that begins there, or else to the innermost one around it (bind_flows.h). The begin of a
// slice nearly always works. If another slice begins inside it at the same time, we search for a later moment that nothing else
// covers. Cost: O(rows of the lane * log slices) for each end.
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
