// One view over several segments (core/SEGMENTS.md): one lane tree, one table of labels, one clock. The segments' slices are not
// copied.
//
//   segment a   rank 0 / thread 1        ┐        rank 0 / thread 1      a's rows
//   segment b   rank 0 / stream 7        ├──>            / stream 7      b's rows
//               rank 1 / thread 1        ┘        rank 1 / thread 1      b's rows
//
// Lanes with equal paths are one lane, as within a segment (lane_tree.h). Rows of several segments on one lane share its lines if
// they follow each other in time; otherwise those of the first segment are above (lane_slots.h). Segments are placed on one clock
// (view_clock.h) by their times and collectives (fit_segments.h). If a source was moved to the beginning of others, its report
// says so. A segment that was made with its runs aligned counts as one run.
//
// Cost: lanes, rows, labels, samples of counters (view_counters.h), arrows and lines of logs (view_logs.h), except for those shared
// with the beginning of the earlier view or with the first segment. Never slices, except on lanes where slices of several segments
// run at once.
#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/store/clock/align_runs.h"
#include "core/store/segments/fit_segments.h"
#include "core/store/trace/trace.h"

namespace tv {

using Segments = std::vector<std::shared_ptr<const Trace>>;

/// Data of a view for the next one, which mostly has the same segments and some more.
struct EarlierView {
  ComparedClocks* clocks = nullptr;  ///< input, and replaced by this view's results
  const Trace* view = nullptr;       ///< its labels, samples and rollout lines are reused for the leading common segments
};

/// With one segment, returns that segment, unless it is moved or its columns are unchecked. `manual_offsets`: how far the user moved each
/// segment's clocks since it was made (SourceInfo::clock_offset); empty: none. `earlier` does not change the result. `placed`:
/// the logs of the first `placed` segments were placed together (place_logs), so they number clock units in common. `pool`: as
/// for fit_segments(). An error if times are too far apart for one view, or if there are too many sources.
Result<std::shared_ptr<const Trace>> compose(const Segments& segments, PlaceBy clocks = PlaceBy::Collectives,
                                             const std::vector<Ns>& manual_offsets = {}, EarlierView earlier = {},
                                             AlignChoice align = Align::Recorded, std::size_t placed = 0, ThreadPool* pool = nullptr);

/// Placed by the segments' own times, not fitted to each other; all count as placed together. Null if compose() would fail.
std::shared_ptr<Trace> view_as_recorded(const Segments& segments);

/// Whether any source shows something. A segment may have lanes but no content: a file that has only ends, whose begins are missing.
bool has_content(const Trace& segment);

}  // namespace tv
