// Estimates the effect of a change to the rollout: replays the logs, step by step, with changed ends of requests. Every number
// must be shown with the text of assumptions().
//
// Model: a worker's generation ends when its last request does, the barrier opens when the last worker's generation ends, and the
// time after the barrier stays the same. So a step gets shorter by as much as the end of its last request moves, and each of its
// workers saves that time. Requests begin when they did and run as fast as they did, however many others are in flight. Only with
// Rebalance do workers run at the mean pace of the step.
// Invariants: savings are never negative; TruncateDuration and DropLate at 1 save nothing; savings never grow with `at`.
// There is no correction for incomplete requests, nor for clocks that differ between hosts.
// Cost: O((requests + files) log requests + turns). Units: seconds; worker-seconds = seconds saved x workers of the step.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

struct WhatIfRule {
  enum class Kind : std::uint8_t {
    TruncateDuration,  ///< `at` in 0..1: no request of a step lasts longer than this quantile of the step's durations
    TruncateTokens,    ///< the model generates at most `at` tokens per request
    DropLate,   ///< `at` in 0..1: the step's requests that still run when this share has completed are dropped (oversampling)
    Rebalance,  ///< requests are dealt to the workers again, longest first, each to the worker with the least work
  } kind = Kind::TruncateDuration;
  double at = 1;  ///< ignored by Rebalance
  bool operator==(const WhatIfRule&) const = default;
};

/// "truncate at P95 of duration", "at most 1,000 tokens", "drop what still runs when 80 % have completed", "rebalance".
std::string describe(const WhatIfRule& rule);
/// The text for users that says what the estimate assumes.
std::string_view assumptions(WhatIfRule::Kind kind);

struct WhatIfStep {
  std::uint32_t step = 0;
  double seconds = 0;         ///< length of the step without the change
  double saved = 0;           ///< the part of `seconds` that is saved
  double worker_seconds = 0;  ///< saved x workers
  std::size_t requests = 0, touched = 0;  ///< touched: number of requests that change

  double estimate() const { return seconds - saved; }
};

struct WhatIf {
  std::vector<WhatIfStep> steps;  ///< one for each of Rollout::steps
  double seconds = 0, saved = 0, worker_seconds = 0;
  std::size_t requests = 0, touched = 0;
};

WhatIf what_if(const Rollout& rollout, const WhatIfRule& rule);

/// When the request would end if at most `most` tokens were generated for it. This is the logged end if the request does not
/// exceed the limit, or if its tokens are not logged. The turn that reaches the limit is cut in proportion to its tokens; later
/// turns and tools are dropped. Work after the last engine call (parsing, reward, finalization) follows the cut turn.
Ns truncated_end(const Rollout& rollout, RequestIx request, double most);

}  // namespace tv
