// Makes two counters from a rollout file's requests: requests in flight, and tokens generated per second. The counters show at a
// glance where a step's tail begins and which worker causes it.
//
// Samples are changes (event_batch.h), so files of steps that overlap add up. A request counts from its begin to its end;
// requests that never completed do not count. The tokens of an engine call are spread evenly over the call; those of calls whose
// end is not logged are missing. Rates are multiples of 1/1024 token/s, so their sums are exact and return to zero. Source:
// rollout logs.
// Cost: O(requests + turns), 64 bytes for each while the file is being added.
#pragma once

#include <cstdint>
#include <functional>

#include "core/store/draft/event_batch.h"
#include "core/store/logs/rollout_log.h"

namespace tv {

enum class RolloutCounter : std::uint8_t { InFlight, TokensPerSecond };

/// `track_of(run, counter)`: the batch's track. It is called only for counters that have samples.
void add_rollout_counters(const RolloutLog& log, EventBatch& batch,
                          const std::function<std::uint32_t(std::int32_t run, RolloutCounter)>& track_of);

}  // namespace tv
