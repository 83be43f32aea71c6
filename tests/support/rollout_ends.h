// How a rollout's requests end, found by walking over all of them: for handmade rollouts and comparisons.
#pragma once

#include <set>

#include "core/analysis/rollout/rollout.h"

namespace tv::test {

inline void set_ends(Rollout& rollout) {
  for (RolloutStep& step : rollout.steps) {
    step.last = step.first;
    for (RequestIx r = step.first; r < step.end; ++r) {
      if (rollout.end[r] > rollout.end[step.last]) step.last = r;
    }
  }
  std::set<std::uint32_t> known;
  rollout.first_of_finish.clear();
  for (RequestIx r = 0; r < rollout.size(); ++r) {
    if (known.insert(rollout.request(r).finish).second) rollout.first_of_finish.push_back(r);
  }
}

}  // namespace tv::test
