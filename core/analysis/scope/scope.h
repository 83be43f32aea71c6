// The limits of everything that is counted: a stretch of time, and some lanes. An area that was dragged, `--range`,
// a step. Nothing is counted twice or left out at its ends: durations are clipped to it.
//
// Lanes count only if they hold what a question is about. An area over CPU threads does not say which streams are meant:
// then its time counts, on all of them, and words_of() says so. Invariant: range is not empty, relative to the trace's
// origin. Cost: nothing; what it limits states its own cost.
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
  std::string step = {};           ///< "step 3 of rl_run (rollout)" where it is one
  bool operator==(const Scope&) const = default;

  bool touches(Ns begin, Ns end) const { return begin < range.end && end > range.begin; }
};

/// The part of a stretch that is in the range; empty where they do not touch.
inline TimeRange clip_to(TimeRange time, TimeRange range) {
  const Ns begin = std::max(time.begin, range.begin);
  return {begin, std::max(begin, std::min(time.end, range.end))};
}

/// "3.033 s of 5 lanes", "step 3 of rl_run (rollout), 20.1 s"; `instead`: of what, where its lanes do not count.
std::string words_of(const Scope& scope, std::string_view instead = {});

/// By lane whether it is in the scope; where none of them is wanted: all, and `lanes_count` is false.
struct ScopeLanes {
  std::vector<bool> in;
  bool lanes_count = true;
};
/// `wanted`: by lane, those that a question is about.
ScopeLanes lanes_of(const Trace& trace, const Scope& scope, const std::vector<bool>& wanted);

}  // namespace tv
