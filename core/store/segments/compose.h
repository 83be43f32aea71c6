// Makes one view of several segments (core/SEGMENTS.md): one lane tree, one table of labels, one clock. The segments' slices are
// not copied.
//
//   segment a   rank 0 / thread 1        ┐        rank 0 / thread 1      a's rows
//   segment b   rank 0 / stream 7        ├──>            / stream 7      b's rows
//               rank 1 / thread 1        ┘        rank 1 / thread 1      b's rows
//
// Lanes with equal paths are one lane, as within a segment (lane_tree.h). If segments follow each other in time on a lane, their
// rows share lines; otherwise the rows of the first segment are above those of the next (lane_slots.h). Segments are placed on
// one clock (view_clock.h) by their times and their collectives (fit_segments.h). If a source was moved to where the others
// begin, its problems say so. A segment whose runs were aligned when it was made counts as one run.
//
// Cost: O(lanes + rows + labels + samples of counters (view_counters.h) + lines of logs (view_logs.h)), except for what is shared
// with the beginning of the earlier view, or with the first segment. Slices are read only on lanes where several segments have some
// at once.
#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/store/clock/align_runs.h"
#include "core/store/segments/fit_segments.h"
#include "core/store/trace/trace.h"

namespace tv {

using Segments = std::vector<std::shared_ptr<const Trace>>;

/// What a view can reuse of the previous one, which usually has the same segments except for the last ones.
struct EarlierView {
  ComparedClocks* clocks = nullptr;  ///< results of the previous view; compose() replaces them with those of this view
  const Trace* view = nullptr;       ///< for the first segments that both views have: labels, samples and lines of rollouts
};

/// Returns a single segment as it is, unless it is moved or its columns are unchecked. `manual_offsets`: how far the user moved
/// the clocks of each segment since it was made (SourceInfo::clock_offset); empty: not at all. `earlier` does not change the
/// result. `placed`: the logs of the first `placed` segments were placed together (place_logs()), so the numbers of their clock
/// units (ClockFit) are distinct. `pool`: as for fit_segments(). An error if times are too far apart for one view, or if there
/// are too many sources.
Result<std::shared_ptr<const Trace>> compose(const Segments& segments, PlaceBy clocks = PlaceBy::Collectives,
                                             const std::vector<Ns>& manual_offsets = {}, EarlierView earlier = {},
                                             AlignChoice align = Align::Recorded, std::size_t placed = 0, ThreadPool* pool = nullptr);

/// A view by recorded times; clocks are not fitted. The logs of all segments must have been placed together. Null if compose()
/// would fail.
std::shared_ptr<Trace> view_as_recorded(const Segments& segments);

/// Whether any source has content. A segment can have lanes without content: those of a file with end events but no begins.
bool has_content(const Trace& segment);

}  // namespace tv
