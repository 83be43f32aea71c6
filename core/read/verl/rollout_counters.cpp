#include "core/read/verl/rollout_counters.h"

#include <algorithm>
#include <cmath>

namespace tv {
namespace {

constexpr double kRateSteps = 1024;  // per token/s: sums of such rates are exact

}  // namespace

void add_rollout_counters(const RolloutLog& log, EventBatch& batch,
                          const std::function<std::uint32_t(std::int32_t, RolloutCounter)>& track_of) {
  const auto count = [&](std::int32_t run, RolloutCounter counter, TimeRange range, double value) {
    const std::uint32_t track = track_of(run, counter);
    batch.samples.push_back({track, range.begin, value, true});
    batch.samples.push_back({track, range.end, -value, true});
  };
  batch.samples.reserve(batch.samples.size() + 2 * (log.requests.size() + log.turns.size()));
  for (const RolloutRequest& request : log.requests) {
    if (!request.complete) continue;
    const Ns length = to_ns(request.seconds);
    if (length > 0) count(request.run, RolloutCounter::InFlight, {request.end - length, request.end}, 1);
    for (std::uint32_t t = 0; t < request.turn_count; ++t) {
      const RolloutTurn& turn = log.turns[request.first_turn + t];
      if (turn.engine_end < 0 || turn.tokens <= 0) continue;
      // A call that took no time lasts one nanosecond, so that its tokens have a place in time.
      const Ns call = std::max<Ns>(to_ns(turn.engine_call), 1);
      const double rate = std::round(turn.tokens / to_seconds(call) * kRateSteps) / kRateSteps;
      count(request.run, RolloutCounter::TokensPerSecond, {turn.engine_end - call, turn.engine_end}, rate);
    }
  }
}

}  // namespace tv
