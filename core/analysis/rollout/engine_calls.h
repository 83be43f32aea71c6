// The engine's calls as time ranges: each turn's [engine_end - engine_call, engine_end] with the tokens it generated.
// Invariant: end > begin; a call that took no time lasts one nanosecond, so that its tokens have a place in time. Turns whose end
// is not logged (no turn_engine_call line) are left out. Units: Ns relative to the trace's origin.
// Cost: O(turns). Source: rollout logs.
#pragma once

#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

struct EngineCall {
  Ns begin = 0, end = 0;
  std::int32_t tokens = -1;  ///< -1: not logged
  RequestIx request = 0;
};

/// In the order of the requests and their turns.
std::vector<EngineCall> engine_calls(const Rollout& rollout, const RequestSet& requests);

/// Length of the union of the ranges; empty and inverted ones do not count. O(n log n).
Ns union_length(std::vector<TimeRange> ranges);

}  // namespace tv
