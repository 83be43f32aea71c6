// What an earlier rollout says of requests that a view has likewise: while a run is followed, all but the last step's. Requests of a
// segment that both views begin with were taken apart already; they lie at the same places in the view's log (view_logs.h).
//
//   earlier   step 1 ... step 40 | step 41
//   now       step 1 ... step 40 | step 41, longer | step 42
//             └──── known ─────┘
//
// Invariant: known are whole files, the first ones of the logs and the first ones of Rollout::worker_steps; their slices are those of
// the parts that both views begin with. Cost: O(files + segments).
#pragma once

#include <cstdint>

#include "core/analysis/rollout/rollout.h"

namespace tv {

struct KnownRequests {
  std::size_t parts = 0;               ///< of both views
  std::uint32_t files = 0;             ///< of the log: so many, from the first
  std::uint32_t rows = 0, phases = 0;  ///< the log's requests and phases of these
  std::uint32_t worker_steps = 0;      ///< of the earlier rollout
  RequestIx requests = 0;              ///< likewise
  std::size_t slices = 0;              ///< likewise: of its by_slice
};

/// Nothing where there is no earlier one.
KnownRequests known_requests(const Trace& trace, const Rollout* earlier);

/// From here on slices are of requests that are not known. Of either view.
SliceId first_unknown(const Trace& trace, const KnownRequests& known);

/// Whether the slices of all known requests have the numbers that they had.
bool slices_stay(const Trace& trace, const Trace& earlier, const KnownRequests& known);

/// The number of a slice of a known request, now.
SliceId slice_now(const Trace& trace, const Trace& earlier, SliceId was);

}  // namespace tv
