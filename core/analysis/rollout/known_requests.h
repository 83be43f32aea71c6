// The results for requests that a view shares with an earlier rollout: while a run is followed, all but the last step's. Requests
// of a segment that both views begin with were analysed already; they lie at the same places in the view's log (view_logs.h).
//
//   earlier   step 1 ... step 40 | step 41
//   now       step 1 ... step 40 | step 41, longer | step 42
//             └──── known ─────┘
//
// Invariant: the known requests are whole files: the first of the logs and the first of Rollout::worker_steps. Their slices are in
// the parts that both views begin with. Cost: O(files + segments).
#pragma once

#include <cstdint>

#include "core/analysis/rollout/rollout.h"

namespace tv {

struct KnownRequests {
  std::size_t parts = 0;               ///< in both views
  std::uint32_t files = 0;             ///< how many of the log's first files
  std::uint32_t rows = 0, phases = 0;  ///< the log's requests and phases of these
  std::uint32_t worker_steps = 0;      ///< in the earlier rollout
  RequestIx requests = 0;              ///< in the earlier rollout
  std::size_t slices = 0;              ///< in the earlier rollout's by_slice
};

/// Empty if there is no earlier one.
KnownRequests known_requests(const Trace& trace, const Rollout* earlier);

/// From here on slices are of requests that are not known. Of either view.
SliceId first_unknown(const Trace& trace, const KnownRequests& known);

/// Whether the slices of all known requests have the numbers that they had.
bool slices_stay(const Trace& trace, const Trace& earlier, const KnownRequests& known);

/// The number of a slice of a known request, now.
SliceId slice_now(const Trace& trace, const Trace& earlier, SliceId was);

}  // namespace tv
