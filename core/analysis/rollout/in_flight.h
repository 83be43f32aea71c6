// Load over time: requests in flight, tokens generated per second, completions, workers in each phase. All are exact step
// functions. Charts show their means over bins; rollout_counters.h makes counter lanes of the first two. If requests are in flight
// but nothing is generated or completed, the rollout is stalled. If none are in flight, the engine is idle.
//
// Invariant: times rise strictly, neighbouring values differ, the value is 0 before the first point and stays the same after the
// last. A call's tokens are spread evenly over the call. Tokens of calls whose time is unknown are missing (engine_calls.h), as
// are requests that never completed. Units: Ns relative to the trace's origin; requests, tokens/s. Cost: O(n log n).
#pragma once

#include <string_view>
#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

struct StepFunction {
  std::vector<Ns> time;
  std::vector<double> value;  ///< from time[i] until time[i + 1]

  double at(Ns t) const;
  /// Value times seconds within the range.
  double integral(TimeRange range) const;
};

StepFunction requests_in_flight(const Rollout& rollout, const RequestSet& requests);
StepFunction token_rate(const Rollout& rollout, const RequestSet& requests);
/// How many requests have completed so far.
StepFunction completions(const Rollout& rollout, const RequestSet& requests);

/// The number of the step's workers in a phase. A worker can be in two phases at once if its log says so.
struct WorkersInPhase {
  std::string_view event;  ///< one of kWorkerEvents
  StepFunction workers;
};
/// For the consecutive phases of worker_phases.h that take any time, in that order.
std::vector<WorkersInPhase> workers_in_phases(const Rollout& rollout, std::uint32_t step);

/// The exact mean in each of `bins` equal parts of the range; part i is [begin + length * i / bins, ... (i + 1) / bins). The
/// mean of a part of zero length is the value at its begin. O(points + bins).
std::vector<double> bin_means(const StepFunction& function, TimeRange range, std::size_t bins);
TimeRange bin_of(TimeRange range, std::size_t bins, std::size_t bin);

/// The longest time from one completion to the next, and the load during it; empty with fewer than two completions.
struct Stall {
  TimeRange between;
  double in_flight = 0;  ///< mean number of requests
  double tokens = 0;     ///< number of generated tokens
};
Stall longest_stall(const Rollout& rollout, const RequestSet& requests);

}  // namespace tv
