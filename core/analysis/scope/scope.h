// Limits everything that is counted to a time range and, optionally, to lanes. A scope comes from a dragged area, from `--range`,
// or from a step. Durations are clipped to it, so nothing is counted twice or left out at its ends.
//
// Lanes count only if they have the slices in question. An area over CPU threads does not say which streams are meant: then its
// time range applies to all streams, and words_of() says so. Invariant: range is not empty, relative to the trace's origin. Cost:
// none of its own.
#pragma once

#include <algorithm>
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

/// "3.033 s of 5 lanes", "step 3 of rl_run (rollout), 20.1 s"; `instead`: names what is counted if the lanes do not count.
std::string words_of(const Scope& scope, std::string_view instead = {});

/// Whether each lane is in the scope. If none of its lanes is wanted, all are in and `lanes_count` is false.
struct ScopeLanes {
  std::vector<bool> in;
  bool lanes_count = true;
};
/// `wanted`: for each lane, whether it has slices in question.
ScopeLanes lanes_of(const Trace& trace, const Scope& scope, const std::vector<bool>& wanted);

}  // namespace tv
