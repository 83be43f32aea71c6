// Who held the barrier: every barrier wait of a step is attributed to the culprit, the worker whose generation ended last in that
// step, and to the request of that worker that ended last. Ties go to the lower worker, then to the request that comes first in
// its file.
//
// Invariant: the lost seconds of all entries add up to the barrier waits of all workers except the culprits. A culprit's own wait
// is listed but not lost (it is short, because the others are there already). Steps with one worker, without requests or without
// barrier lines have no entry. Not detected: a culprit whose file is missing. Then waits continue after the last known request
// has ended; that part is `after`. It is also large if the clocks of two hosts differ.
// Unit: worker-seconds, one second of one waiting worker. Cost: O(phases). Source: rollout logs (barrier_wait_duration).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

struct BarrierWait {
  std::uint32_t phase = 0;        ///< index into RolloutLog::phases
  std::uint32_t worker_step = 0;  ///< index into Rollout::worker_steps: the worker that waited
  double seconds = 0;
  double after = 0;               ///< the part after the culprit's last request had ended
};

struct Blame {
  std::uint32_t step = 0;
  std::uint32_t worker = 0;       ///< index into Rollout::workers: the culprit
  RequestIx request = 0;
  std::vector<BarrierWait> waits;  ///< of the other workers, longest first
  std::vector<BarrierWait> culprit_waits;  ///< waits of the culprit itself; not lost
  double lost = 0;                 ///< sum of `waits`
  double after = 0;                ///< the part of `lost` after the request had ended
};

struct BlameLedger {
  std::vector<Blame> entries;  ///< most lost first; at most one per step
  double lost = 0;
};

BlameLedger blame(const Rollout& rollout);
/// The entry of one step, if it has one.
std::optional<Blame> blame_of_step(const Rollout& rollout, std::uint32_t step);

/// The cause of a barrier wait.
struct Blamed {
  std::uint32_t worker = 0;
  RequestIx request = 0;
  bool is_culprit = false;  ///< the worker that waited is the culprit
};
/// Empty if the phase is not a barrier wait or its step has no entry. The cause of a culprit's own wait is its own last request.
/// O(files).
std::optional<Blamed> blamed(const Rollout& rollout, std::uint32_t phase);

/// The index into RolloutLog::phases of the worker phase that this slice shows. O(phases).
std::optional<std::uint32_t> phase_of_slice(const Rollout& rollout, SliceId slice);

/// The entry that blames this request; null if there is none.
const Blame* entry_of(const BlameLedger& ledger, RequestIx request);

}  // namespace tv
