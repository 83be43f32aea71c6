// Finds the relatives of a slice: its parent, its children, and the slices before and after it. Nothing is stored: everything
// follows from the rows (store/trace/row_layout.h). Instants have no parent and no children here. Cost: O(rows of the lane *
// log n). For children: O(log n) in a lane without overlaps and nest tolerance, else O(descendants * rows * log n).
#pragma once

#include <cstdint>
#include <optional>

#include "core/store/trace/trace.h"

namespace tv {

/// The slice in the same slot that contains it and began last.
std::optional<SliceId> parent_of(const Trace& trace, SliceId slice);

struct Children {
  std::uint64_t count = 0;
  std::optional<SliceId> first;  ///< the earliest
};
/// The direct children.
Children children_of(const Trace& trace, SliceId slice);
/// How much of the range the direct children cover; overlapping children count once. Cost: O(children in the range), in a lane
/// without overlaps and nest tolerance.
Ns time_of_children(const Trace& trace, SliceId slice, TimeRange range);

std::optional<SliceId> previous_in_row(const Trace& trace, SliceId slice);
std::optional<SliceId> next_in_row(const Trace& trace, SliceId slice);

/// Step through all slices and instants of the lane in order of begin; at equal begins, parents come before children.
std::optional<SliceId> previous_in_lane(const Trace& trace, SliceId slice);
std::optional<SliceId> next_in_lane(const Trace& trace, SliceId slice);

}  // namespace tv
