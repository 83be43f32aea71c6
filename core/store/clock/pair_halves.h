// Joins begin and end events into slices.
//
// Thread events (B/E): per track, in time order, an end closes the innermost open begin whose name and category match; a name or
// category that the end lacks matches anything; an end that matches nothing is counted. Async events (b/e): the same per key and
// id instead of per track; the slices of each such pair are a group. Begins that stay open run to the end of the source. Source:
// Trace Event Format, and what Perfetto accepts. Cost: O(n log n) for the sort by time.
#pragma once

#include <vector>

#include "core/store/draft/event_batch.h"
#include "core/store/draft/item_ref.h"
#include "core/store/draft/problem.h"

namespace tv {

/// `halves`: all of one source in file order, with common track and key ids, and label ids of `labels`. The slices are appended
/// to `out`; their groups are numbered from `first_group` on. Returns the number of groups.
std::uint32_t pair_halves(std::vector<HalfEvent> halves, const LabelTable& labels, std::uint32_t first_group, SliceColumns& out,
                          ProblemLog& problems);

}  // namespace tv
