// How long each step's rollout took, and the time from its end to the next step's rollout, which is mostly training.
//
// rollout  the longest total_step_duration of the step's workers
// interval from the step's first begin to the first begin of the next step of the same run; none for the last step, or
//          if the next step's number is missing
// training interval - rollout
// Unit: seconds; NaN if unknown. Steps stand out among the steps of their run by the rule of usual_length.h, if the median is
// positive: otherwise there is no factor, as for training that overlaps the next rollout. The reason is the worker's event that
// exceeds its usual time (the event's median over all steps and workers of the run) the most. Barrier waits are excluded, because
// another worker causes them. Cost: O(phases log phases). Source: verl's scripts, script overview_duration; script_overview.h has
// the results of the script itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/analysis/statistics/summary.h"

namespace tv {

struct StepReason {
  std::uint32_t worker_step = 0;  ///< index into Rollout::worker_steps
  std::string_view event;
  double seconds = 0, usual = 0;
};

struct StandsOut {
  double factor = 0;                 ///< the step's time divided by the median of the run
  std::optional<StepReason> reason;  ///< none for training, and if no event exceeds its usual time
};

struct StepDurations {
  double begin = 0;  ///< from the trace's origin
  double rollout = kNotMeasured, interval = kNotMeasured, training = kNotMeasured;
  std::optional<StandsOut> slow_rollout, slow_training;
};

struct StepOverview {
  std::vector<StepDurations> steps;  ///< one for each of Rollout::steps
  Summary rollout, interval, training;
  double gap = kNotMeasured;    ///< mean interval - mean rollout, over the steps that have an interval
  double ratio = kNotMeasured;  ///< mean interval / mean rollout over the same steps
};

StepOverview step_overview(const Rollout& rollout);

/// "worker 0: async_generate 83.02 s, usually 4.79 s".
std::string text_of(const Rollout& rollout, const StepReason& reason);

}  // namespace tv
