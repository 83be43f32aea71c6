// Evidence that a training log and other files are of the same run, and where its steps lie by them. Pure functions of
// step numbers and lengths. Times are absolute, in ns. Cost: step_alignment.h for rollouts; O(log steps) for each
// trace.
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

/// The rollouts of one folder, as its logs tell them.
struct RolloutSteps {
  std::string name, folder;
  bool local = false;              ///< local time, and the zone is not known
  bool is_packed = false;          ///< then it cannot be moved to a zone that is found
  std::vector<RolloutSpan> spans;  ///< by begin; several of a number where a run was begun again
};

/// What a trace of one step tells.
struct StepTrace {
  std::string name;    ///< of the file
  std::int64_t step = 0;
  std::int64_t pid = -1;   ///< -1: its name does not tell
  std::int64_t rank = -1;  ///< -1: its name does not tell
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
  const RolloutSteps* rollout = nullptr;  ///< by which
  std::optional<Ns> east;                 ///< zone of the rollout's clock, if traces and marked steps tell it
};

/// Marked steps and traces are asked too.
StepJoin join_rollouts(const MetricLog& log, const std::vector<RolloutSteps>& rollouts,
                       const std::vector<MarkedSteps>& marked, const std::vector<StepTrace>& traces);
StepJoin join_marked_steps(const MetricLog& log, const std::vector<MarkedSteps>& processes);
StepJoin join_traces(const MetricLog& log, const std::vector<StepTrace>& traces);

}  // namespace tv
