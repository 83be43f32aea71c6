// The tooltip of a slice: the first facts that one asks for. The title is its whole name; the rest are lines of
// a word and a value. Made when the mouse comes to another slice, not per frame. Cost: O(rows of the lane * log n).
#pragma once

#include <string>
#include <vector>

#include "core/view/timeline/pick.h"

namespace tv {

struct CollectiveWaits;
struct GpuMarks;
struct Rollout;

struct SliceTooltip {
  struct Line {
    std::string word, value;
  };
  std::string title;
  std::vector<Line> lines;
};

/// `rollout`, `waits` and `marks` of the same trace, or null.
SliceTooltip slice_tooltip(const Trace& trace, const Rollout* rollout, const CollectiveWaits* waits, SliceId slice,
                           const GpuMarks* marks = nullptr);
/// For a column in which slices are merged: how many, the longest, how busy it is.
SliceTooltip merged_tooltip(const Trace& trace, const MergedSlices& merged);

}  // namespace tv
