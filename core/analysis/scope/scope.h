// Limits everything that is counted to a time range and, optionally, to lanes. A scope comes from a dragged area, from `--range`,
// or from a step. Durations are clipped to the range, so nothing is counted twice or left out at its ends.
//
// Lanes count only if they have slices of the wanted kind. For example, an area over CPU threads does not say which streams are
// meant: then its time range applies to all streams, and words_of() says so. Invariant: the range is not empty; it is relative to
// the trace's origin.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

struct Scope {
  TimeRange range;
  std::vector<LaneId> lanes = {};  ///< lanes and groups; empty: all
  std::string step = {};           ///< "step 3 of rl_run (rollout)", if the scope is a step
  bool operator==(const Scope&) const = default;

  bool touches(Ns begin, Ns end) const { return begin < range.end && end > range.begin; }
};

/// The part of `time` that is in the range; empty if they do not touch.
inline TimeRange clip_to(TimeRange time, TimeRange range) {
  const Ns begin = std::max(time.begin, range.begin);
  return {begin, std::max(begin, std::min(time.end, range.end))};
}

/// Those ranges that touch `range`. `ordered`: disjoint ranges by begin. Cost: O(log n).
std::span<const TimeRange> touching(std::span<const TimeRange> ordered, TimeRange range);

/// "3.033 s of 5 lanes", "step 3 of rl_run (rollout), 20.1 s". If the lanes do not count, `instead` names those that
/// do: "all streams".
std::string words_of(const Scope& scope, std::string_view instead = {});

struct ScopeLanes {
  std::vector<bool> in;     ///< for each lane, whether it is in the scope
  bool lanes_count = true;  ///< false if none of the scope's lanes is wanted: then all lanes are in the scope
};
/// `wanted`: for each lane, whether it has slices of the wanted kind.
ScopeLanes lanes_of(const Trace& trace, const Scope& scope, const std::vector<bool>& wanted);

}  // namespace tv
