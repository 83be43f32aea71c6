#include "core/analysis/rollout/engine_calls.h"

#include <algorithm>
#include <limits>

#include "core/analysis/rollout/rollout_parts.h"

namespace tv {

std::vector<EngineCall> engine_calls(const Rollout& rollout, const RequestSet& requests) {
  std::vector<EngineCall> out;
  for (const RequestIx r : requests) {
    for (const RolloutTurn& turn : rollout.turns_of(r)) {
      if (turn.engine_end < 0) continue;
      const Ns length = std::max<Ns>(to_ns(turn.engine_call), 1);
      out.push_back({turn.engine_end - length, turn.engine_end, turn.tokens, r});
    }
  }
  return out;
}

Ns union_length(std::vector<TimeRange> ranges) {
  std::ranges::sort(ranges, {}, &TimeRange::begin);
  Ns length = 0, covered = std::numeric_limits<Ns>::min();
  for (const TimeRange& range : ranges) {
    const Ns from = std::max(range.begin, covered);
    if (range.end <= from) continue;
    length += range.end - from;
    covered = range.end;
  }
  return length;
}

}  // namespace tv
