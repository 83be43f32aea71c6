// How long each step's rollout took, and the time from its end to the next step's rollout, which is mostly training.
//
// rollout  the longest total_step_duration of the step's workers
// interval from the step's first begin to the first begin of the next step of the same run; none if a number is
//          missing between them, or for the last step
// training interval - rollout
// Seconds; NaN if unknown. Steps stand out by the rule of usual_length.h, if the median is positive: else there is no factor, as
// for training that overlaps the next rollout. The reason is the worker's event that exceeds its usual time (the median of the
// event over all steps and workers) the most. Barrier waits are excluded, because another worker causes them. Cost: O(phases log
// phases). Source: verl's scripts, script overview_duration; the script's own results for the same log are in script_overview.h.
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
  double factor = 0;                 ///< times the median
  std::optional<StepReason> reason;  ///< none: training is slow, or no event exceeds its usual time
};

struct StepDurations {
  double begin = 0;  ///< since the trace's origin
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
