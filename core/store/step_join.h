// Evidence that a training log and other files are of the same run, and where its steps lie by them. Pure functions of step
// numbers and lengths. Times are absolute, in ns. Cost: O(parts log steps) for
// each kind of phase, O(log steps) for each trace.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/store/metric_log.h"

namespace tv {

/// The steps of one rollout folder, as its logs tell them.
struct RolloutSteps {
  std::string name;
  std::map<std::int64_t, TimeRange> steps;
};

/// What a trace of one step says.
struct StepTrace {
  std::string name;    ///< of the file
  std::int64_t step = 0;
  std::int64_t pid = -1;   ///< -1: its name does not tell
  std::int64_t rank = -1;  ///< likewise
  std::string phase;   ///< the part of a step that it shows: "update_actor"
  TimeRange extent;
};

/// Steps that a process marked itself, one after the other, without their numbers: NVTX ranges of a trainer's controller.
struct MarkedSteps {
  std::string name;       ///< of the file
  std::int64_t pid = -1;  ///< -1: unknown
  std::vector<TimeRange> steps;  ///< by begin
};

struct StepJoin {
  std::map<std::int64_t, Ns> begin;  ///< of the steps that were found, by their number
  std::string text;                  ///< the evidence, or why nothing was joined; empty: there was nothing to join with
};

StepJoin join_rollouts(const MetricLog& log, const std::vector<RolloutSteps>& rollouts);
StepJoin join_marked_steps(const MetricLog& log, const std::vector<MarkedSteps>& processes);
StepJoin join_traces(const MetricLog& log, const std::vector<StepTrace>& traces);

}  // namespace tv
