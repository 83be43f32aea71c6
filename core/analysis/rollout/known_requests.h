// What an earlier rollout says of requests that a trace has likewise: while a run is followed, all but the last step's. A trace's
// log shares what it has in common with the one before (view_logs.h): what is in the same memory was taken apart already.
//
//   earlier   step 1 ... step 40 | step 41
//   now       step 1 ... step 40 | step 41, longer | step 42
//             └──── known ─────┘
//
// Invariant: known are whole files, the first ones of the logs and the first ones of Rollout::worker_steps; their slices are of
// segments that the trace has likewise. Cost: O(files + segments), and a copy of 16 bytes for each known slice.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

struct KnownRequests {
  std::uint32_t files = 0;               ///< of the log: so many, from the first
  std::uint32_t rows = 0, phases = 0;    ///< the log's requests and phases of these
  std::uint32_t worker_steps = 0;        ///< of the earlier rollout
  RequestIx requests = 0;                ///< likewise
  std::vector<std::pair<SliceId, RequestIx>> by_slice;  ///< as Rollout::by_slice: the trace's
};

/// Nothing where there is no earlier one.
KnownRequests known_requests(const Trace& trace, const Rollout* earlier);

}  // namespace tv
