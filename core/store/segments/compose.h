// One view over several segments (core/SEGMENTS.md): one lane tree, one table of labels, one clock. The segments' slices stay
// where they are.
//
//   segment a   rank 0 / thread 1        ┐        rank 0 / thread 1      a's rows
//   segment b   rank 0 / stream 7        ├──>            / stream 7      b's rows
//               rank 1 / thread 1        ┘        rank 1 / thread 1      b's rows
//
// Lanes with equal paths are one lane, as within a segment (lane_tree.h). Rows of several segments on one share its lines where
// these follow each other, else those of the first are above (lane_slots.h). Segments lie where their times and collectives
// (fit_segments.h) say; one that counts from elsewhere than the Unix epoch, beside others that do not, is put at their
// beginning, and its sources' reports say so. Last of all runs are aligned (align_runs.h), by shifts of whole segments: one
// that was made with its runs aligned is one run, and all are where sources of one would be moved away from each other.
//
// Cost: lanes, rows, labels, samples of counters (view_counters.h), arrows and lines of logs (view_logs.h), but for what the
// view before began with likewise, and the first segment's own, which is shared; never slices, but for lanes on which slices of
// several segments run at once.
#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/store/segments/fit_segments.h"
#include "core/store/trace/trace.h"

namespace tv {

using Segments = std::vector<std::shared_ptr<const Trace>>;

/// What a view leaves to the next one, which is most often of the same segments and some more.
struct EarlierView {
  ComparedClocks* clocks = nullptr;  ///< and then, what this one leaves
  const Trace* view = nullptr;       ///< of what both begin with, labels, samples and lines of rollouts are taken over
};

/// Of one segment, that itself, unless it is moved, or its columns are believed. `by_hand`: by how much each one's clocks are
/// moved from what was said when it was made (SourceInfo::clock_offset); empty: none is. Without `earlier` it is
/// the same. `placed`: of so many of the first the logs were placed together (place_logs), so that a clock has the same number in
/// all of them. An error when they are more than the numbers of slices or sources can tell apart.
Result<std::shared_ptr<const Trace>> compose(const Segments& segments, PlaceBy clocks = PlaceBy::Collectives,
                                             const std::vector<Ns>& by_hand = {}, EarlierView earlier = {},
                                             AlignChoice align = Align::Recorded, std::size_t placed = 0);

/// Where their own times say, and nobody else's yet, all of them placed together; null where compose() has an error.
std::shared_ptr<Trace> view_as_recorded(const Segments& segments);

/// A segment's sources as align_groups() has to know them, when its first moment is at `begins`.
std::vector<RecordedSource> recorded_in(const Trace& segment, Ns begins);

}  // namespace tv
