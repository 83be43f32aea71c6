// The tooltip of a slice: the most important facts. The title is its full name; each line below it is a word and a value. Made when
// the mouse moves to another slice, not per frame. Cost: O(rows of the lane * log slices), plus barrier_text() (wait_details.h).
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

/// `rollout`, `waits` and `marks` belong to the same trace, or are null.
SliceTooltip slice_tooltip(const Trace& trace, const Rollout* rollout, const CollectiveWaits* waits, SliceId slice,
                           const GpuMarks* marks = nullptr);
/// For a column in which slices are merged: their number, the longest one, how busy the column is.
SliceTooltip merged_tooltip(const Trace& trace, const MergedSlices& merged);

}  // namespace tv
