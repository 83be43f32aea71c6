// The calls of the engine as stretches of time: each turn's [engine_end - engine_call, engine_end] with the tokens it
// generated.
// Invariant: end > begin; a call that took no time lasts one nanosecond, so that its tokens are somewhere. Turns whose
// end the log does not say (no turn_engine_call line) have no place in time and are left out. Units: Ns relative to the
// trace's origin.
// Cost: O(turns). Source: rollout logs.
#pragma once

#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

struct EngineCall {
  Ns begin = 0, end = 0;
  std::int32_t tokens = -1;  ///< -1: not said
  RequestIx request = 0;
};

/// In the order of the requests and their turns.
std::vector<EngineCall> engine_calls(const Rollout& rollout, const RequestSet& requests);

/// Length of the union; empty and inverted ranges count nothing. O(n log n).
Ns union_length(std::vector<TimeRange> ranges);

}  // namespace tv
