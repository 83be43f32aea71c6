// The first view of a trace, by its contents: the order of its lanes, and which of them are shown, folded to fit.
//
//   rollouts                  the phases of all workers, sorted by time spent on requests, longest first; then the requests of
//                             the worker that was waited for
//   streams of several ranks  the streams of all ranks, one below the other, then the CPU threads of all
//   streams of one rank       streams, the CPU threads that launch work, other threads, counters, idle lanes, instants
//   anything else             the tree as it is in the file
//
// If everything fits, the tree is shown. If the streams of several ranks do not fit, the nearly empty ones are dropped first. Then
// rows become smaller, down to kLeastScale. Then each rank keeps only its busiest streams, and its first stream with communication.
// If that still does not fit, rows are not made smaller at all. Spare room goes to folded lanes: the lanes of a kind are opened to
// as many levels as all of them have room for, the most telling kinds first. With one rank, the launching thread may continue below
// the window. Rows of requests are high enough for names. While a file is being read, lanes keep the order of the file, so that
// they do not move with every intermediate view. Cost: O(rows + lanes log lanes), for streams that do not fit times the logarithm
// of their number; up to 1,000 slices of each outer level of lanes that are opened; and that of known_lanes.h.
#pragma once

#include <string_view>
#include <vector>

#include "core/index/trace_index.h"
#include "core/view/lanes/lane_layout.h"

namespace tv {

inline constexpr float kLeastScale = 0.4f;

struct FirstView {
  std::vector<OverviewLane> lanes;  ///< empty: show the tree
  float scale = 1;                  ///< factor for row heights
};

struct FirstViewOf {
  bool complete = true;             ///< the trace is read to its end
  RowId waited_for = kNone<RowId>;  ///< row of the request that cost the most waiting time; none: not known
  std::vector<bool> among = {};     ///< by lane: whether to consider it; empty: all lanes
};

/// `height`: available to lanes, without the line that says what is not shown.
FirstView first_view(const Trace& trace, const TraceIndex& index, const LaneMetrics& metrics, float height, const FirstViewOf& of = {});

/// Per lane, for LaneState::first_order: devices before the threads that feed them, idle ones last. Empty if the trace has no
/// devices and no workers: the heuristic does not apply to other lanes.
std::vector<double> first_order(const Trace& trace, const TraceIndex& index, bool complete);

/// The id of the panel that fits the opened files: "blame", "cdf", "pipeline", "gpu", "training", or "statistics" if no other
/// fits.
std::string_view first_panel(const Trace& trace);

}  // namespace tv
