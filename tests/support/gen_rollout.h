// Rollouts made from a seed, for tests of computations on them: no files, no slices. A request's phases add up to its length;
// files, phases of workers, requests and turns are in the log as a reader would have put them there.
#pragma once

#include <cstdint>
#include <memory>

#include "core/analysis/rollout/rollout.h"

namespace tv::test {

struct RolloutShape {
  int steps = 4, workers = 3, requests = 12;  ///< requests of each worker in each step
  int most_turns = 4;
  int slow_step = -1, slow_worker = 0;        ///< whose requests take ten times as long
};

std::shared_ptr<const Rollout> gen_rollout(std::uint64_t seed, const RolloutShape& shape = {});

}  // namespace tv::test
