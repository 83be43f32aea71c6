// Joins begin and end events into slices.
//
// The thread events (B/E) of each track are taken in time order. An end closes the innermost open begin with the same name and
// category; a name or category that the end lacks matches any. An end that fits no begin is counted as a problem. Async events
// (b/e) are joined in the same way for each key and id instead of each track, and the slices of one key and id are a group.
// Begins that stay open last to the end of the source. Source: Trace Event Format, and what Perfetto accepts. Cost: O(n log n)
// for the sort by time.
#pragma once

#include <vector>

#include "core/store/draft/event_batch.h"
#include "core/store/draft/item_ref.h"
#include "core/store/draft/problem.h"

namespace tv {

/// `halves`: all events of one source in file order. Their tracks and keys are numbered within the source, their labels are ids
/// of `labels`. Appends the slices to `out` and numbers their groups from `first_group` on. Returns the number of groups.
std::uint32_t pair_halves(std::vector<HalfEvent> halves, const LabelTable& labels, std::uint32_t first_group, SliceColumns& out,
                          ProblemLog& problems);

}  // namespace tv
