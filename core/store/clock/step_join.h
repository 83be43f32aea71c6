// Evidence that a training log and other files belong to the same run, and the times of its steps by these files. Pure functions
// of step numbers and lengths. Times are absolute, in ns. Cost: step_alignment.h for rollouts; O(log steps) for each trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/store/clock/step_alignment.h"
#include "core/store/logs/metric_log.h"

namespace tv {

/// The rollouts of one folder, from its logs.
struct RolloutSteps {
  std::string name, folder;
  bool local = false;              ///< local time, and the zone is not known
  bool is_packed = false;          ///< so it is not moved when its zone is found
  std::vector<RolloutSpan> spans;  ///< by begin; a step number repeats where a run was restarted
};

/// A trace of one step.
struct StepTrace {
  std::string name;    ///< of the file
  std::int64_t step = 0;
  std::int64_t pid = -1;   ///< -1: not in its name
  std::int64_t rank = -1;  ///< -1: not in its name
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
  std::map<std::size_t, Ns> begin;  ///< begins of the steps that were found, by their place in the log
  std::string text;                 ///< the evidence, or why nothing was joined; empty: there was nothing to join with
  const RolloutSteps* rollout = nullptr;  ///< the rollouts that were joined
  std::optional<Ns> east;                 ///< zone of the rollouts' clock, if traces and marked steps show it
};

/// Also uses marked steps and traces as evidence.
StepJoin join_rollouts(const MetricLog& log, const std::vector<RolloutSteps>& rollouts,
                       const std::vector<MarkedSteps>& marked, const std::vector<StepTrace>& traces);
StepJoin join_marked_steps(const MetricLog& log, const std::vector<MarkedSteps>& processes);
StepJoin join_traces(const MetricLog& log, const std::vector<StepTrace>& traces);

}  // namespace tv
