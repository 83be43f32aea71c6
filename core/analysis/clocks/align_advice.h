// Runs that were recorded at different times: how much of the view their work fills, and advice if another alignment may suit
// better (align_runs.h). Cost: O(sources).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

/// A place in the view where idle time was taken out.
struct FoldedGap {
  TimeRange at;    ///< relative to the trace's origin
  Ns removed = 0;
};

struct RunsInView {
  std::size_t runs = 0;            ///< number of runs: stretches of work with idle time between them
  std::size_t runs_from_zero = 0;  ///< number of runs with Align::Zero, where all recordings of a process are one run
  Ns span = 0;                     ///< from the begin of the first run to the end of the last, as recorded
  double filled = 1;               ///< the share of `span` that runs fill
  bool sparse = false;             ///< the view is as recorded and mostly empty, so another alignment is proposed
  std::vector<FoldedGap> gaps = {};

  Ns folded() const;  ///< time removed by all gaps
};

RunsInView runs_in_view(const Trace& trace);

/// A sentence about the alignment in use, or about a better one; empty if neither needs a remark.
std::string align_text(const Trace& trace, const RunsInView& runs);
inline std::string align_text(const Trace& trace) { return align_text(trace, runs_in_view(trace)); }

}  // namespace tv
