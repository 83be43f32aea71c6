// What details say about waiting, in addition to slice_details.h. For a communication kernel: for which rank it waited, or which
// ranks waited for it. For rollout workers at the barrier: for which worker and request they waited. The first comes from an
// analysis of the whole trace, and so arrives later than the slice's other details.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/view/details/slice_details.h"

namespace tv {

struct CollectiveWaits;
struct Rollout;

struct WaitDetails {
  std::string text;                    ///< "waited 21.6 ms for rank 0, GPU 0, the last of 2 ranks"; empty: nothing is known
  std::optional<RelatedSlice> last;    ///< the slice it waited for; RelatedSlice::lane: the GPU
  std::vector<RelatedSlice> waited;    ///< slices that waited for it, longest first, at most SliceDetails::kMostFlows;
                                       ///< RelatedSlice::gap: how long they waited
  std::vector<Flow> arrows;            ///< from each slice that waited to the last one
};

WaitDetails wait_details(const CollectiveWaits& waits, SliceId slice);

/// For a wait at the barrier: "waited 21.56 s for worker 2: its req a3f1 (t2) ended last". For the culprit's own wait: "the others
/// waited for this worker: its req a3f1 (t2) ended last". For a request that others waited for: "3 workers waited for its end,
/// 63.2 s in all". Empty for other slices. Cost: O(phases + requests of the step).
std::string barrier_text(const Rollout& rollout, SliceId slice);

}  // namespace tv
