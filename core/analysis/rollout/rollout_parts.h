// Small queries of a Rollout that several analyses need: a step's files and requests, barrier waits.
// Invariant: spans are valid as long as the Rollout; request sets are copies. Times in Ns relative to the trace's origin.
// Cost: O(log n) or O(1); linear for request sets and worker_count(). Source: rollout.h, rollout logs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

/// The step's files, by worker.
inline std::span<const WorkerStep> files_of_step(const Rollout& rollout, std::uint32_t step) {
  const auto& all = rollout.worker_steps;
  return {std::ranges::lower_bound(all, step, {}, &WorkerStep::step),
          std::ranges::upper_bound(all, step, {}, &WorkerStep::step)};
}

/// The index of a file of files_of_step() in Rollout::worker_steps.
inline std::uint32_t worker_step_index(const Rollout& rollout, const WorkerStep& file) {
  return static_cast<std::uint32_t>(&file - rollout.worker_steps.data());
}

/// The number of workers with a file in the step; a worker can have several files.
inline std::size_t worker_count(std::span<const WorkerStep> files) {
  std::size_t count = 0;
  for (std::size_t f = 0; f < files.size(); ++f) count += f == 0 || files[f].worker != files[f - 1].worker ? 1 : 0;
  return count;
}

/// The id of barrier_wait_duration in the log's texts; kNone<StrId> if no line has this event.
inline StrId barrier_event(const Rollout& rollout) { return rollout.log().texts.find("barrier_wait_duration"); }

/// The seconds that a phase lasted. A difference of clock readings that is negative or NaN counts as 0.
inline double lasted(const RolloutPhase& phase) { return phase.seconds > 0 ? phase.seconds : 0; }

/// The requests of the set that belong to the step.
inline RequestSet requests_of_step(const Rollout& rollout, const RequestSet& among, std::uint32_t step) {
  const RolloutStep& part = rollout.steps[step];
  return {std::ranges::lower_bound(among, part.first), std::ranges::lower_bound(among, part.end)};
}
/// The requests of the set that belong to the worker, an index into Rollout::workers.
inline RequestSet requests_of_worker(const Rollout& rollout, const RequestSet& among, std::uint32_t worker) {
  RequestSet out;
  std::ranges::copy_if(among, std::back_inserter(out), [&](RequestIx r) { return rollout.worker[r] == worker; });
  return out;
}

}  // namespace tv
