// Requests that a view shares with an earlier rollout, whose results can be reused for them. While a run is followed, these are
// the requests of all steps but the last. Requests of segments that both views begin with were analysed already, and are at the
// same positions in the view's log (view_logs.h).
//
//   earlier   step 1 ... step 40 | step 41
//   now       step 1 ... step 40 | step 41, longer | step 42
//             └──── known ─────┘
//
// Invariant: the known requests are those of whole files: of the first files of the log, and of the first entries of
// Rollout::worker_steps. Their slices are in the parts that both views begin with. Cost: O(files + segments).
#pragma once

#include <cstdint>

#include "core/analysis/rollout/rollout.h"

namespace tv {

struct KnownRequests {
  std::size_t parts = 0;               ///< number of leading segments shared by both views
  std::uint32_t files = 0;             ///< number of leading files of the log
  std::uint32_t rows = 0, phases = 0;  ///< numbers of requests and phases in these files
  std::uint32_t worker_steps = 0;      ///< in the earlier rollout
  RequestIx requests = 0;              ///< in the earlier rollout
  std::size_t slices = 0;              ///< in the earlier rollout's by_slice
};

/// All 0 if there is no earlier rollout or nothing is shared.
KnownRequests known_requests(const Trace& trace, const Rollout* earlier);

/// The first slice of `trace` that can belong to a request that is not known.
SliceId first_unknown(const Trace& trace, const KnownRequests& known);

/// Whether the slices of all known requests have kept their ids.
bool slices_stay(const Trace& trace, const Trace& earlier, const KnownRequests& known);

/// The present id of a slice of a known request.
SliceId slice_now(const Trace& trace, const Trace& earlier, SliceId was);

}  // namespace tv
