// One view over several segments (core/SEGMENTS.md): one lane tree, one table of labels, one clock. The segments' slices stay
// where they are.
//
//   segment a   rank 0 / thread 1        ┐        rank 0 / thread 1      a's rows
//   segment b   rank 0 / stream 7        ├──>            / stream 7      b's rows
//               rank 1 / thread 1        ┘        rank 1 / thread 1      b's rows
//
// Lanes with equal paths are one lane, as within a segment (lane_tree.h). Rows of several segments on one lane share its lines if
// they follow each other in time. If not, those of the first segment are above (lane_slots.h). Segments lie where their times and
// collectives (fit_segments.h) say, on one clock (view_clock.h); the reports of sources that were put at the beginning of others say
// so. A segment that was made with its runs aligned is one run.
//
// Cost: lanes, rows, labels, samples of counters (view_counters.h), arrows and lines of logs (view_logs.h), except for those that
// the earlier view began with, and the first segment's own, which are shared. Never slices, except on lanes where slices of
// several segments run at once.
#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/store/clock/view_clock.h"
#include "core/store/segments/fit_segments.h"
#include "core/store/trace/trace.h"

namespace tv {

using Segments = std::vector<std::shared_ptr<const Trace>>;

/// Data that a view leaves to the next one, which mostly has the same segments and some more.
struct EarlierView {
  ComparedClocks* clocks = nullptr;  ///< and then, what this one leaves
  const Trace* view = nullptr;       ///< labels, samples and rollout lines that both views begin with are taken from it
};

/// With one segment, returns that segment, unless it is moved or its columns are believed. `by_hand`: by how much the user moved
/// each segment's clocks since it was made (SourceInfo::clock_offset); empty: none. The result without `earlier` is
/// the same. `placed`: the logs of so many first segments were placed together (place_logs), so that a clock has one number in
/// all of them. `pool`: as for fit_segments(). An error if slices or sources are too many to be numbered.
Result<std::shared_ptr<const Trace>> compose(const Segments& segments, PlaceBy clocks = PlaceBy::Collectives,
                                             const std::vector<Ns>& by_hand = {}, EarlierView earlier = {},
                                             AlignChoice align = Align::Recorded, std::size_t placed = 0, ThreadPool* pool = nullptr);

/// Placed by the segments' own times, not yet fitted to each other, all of them together. Null if compose() has an error.
std::shared_ptr<Trace> view_as_recorded(const Segments& segments);

/// A segment's sources as view_clock() has to know them. `by_hand`: by how much the user moved them since it was made.
ClockedSegment clocked(const Trace& segment, Ns by_hand = 0, Ns fitted = 0);

}  // namespace tv
