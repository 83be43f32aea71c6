// Joins a training log with other files of the same run, if there is evidence that they belong together. The files then tell when
// the steps of the log began. Pure functions of step numbers and durations. Local times are taken as UTC until their zone
// is known. Cost: as in
// step_alignment.h for rollouts; O(steps of the log) for each phase that traces show and each marked step, and O(log steps) for
// each trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock_time.h"
#include "core/store/clock/step_alignment.h"
#include "core/store/logs/metric_log.h"

namespace tv {

/// The rollouts of one folder.
struct RolloutSteps {
  std::string name, folder;
  bool local = false;              ///< times are local, and the zone is unknown
  bool is_packed = false;          ///< part of it is packed, so it is not moved when its zone is found
  std::vector<RolloutSpan> spans;  ///< by begin; step numbers repeat if a run was restarted
};

/// A trace of one step.
struct StepTrace {
  std::string name;  ///< of the file
  std::int64_t step = 0;
  std::int64_t pid = -1;   ///< -1: unknown
  std::int64_t rank = -1;  ///< -1: unknown
  std::string phase;       ///< the part of the step that the trace shows: "update_actor"
  RecordedRange extent;
};

/// Consecutive steps that a process marked without their numbers: NVTX ranges of a trainer's controller.
struct MarkedSteps {
  std::string name;       ///< of the file
  std::int64_t pid = -1;  ///< -1: unknown
  std::vector<RecordedRange> steps;  ///< by begin
};

struct StepJoin {
  std::map<std::size_t, RecordedTime> begin;  ///< begins of the joined steps, by index into MetricLog::steps
  std::string text;                 ///< the evidence, or why nothing was joined; empty: there was nothing to join with
  const RolloutSteps* rollout = nullptr;  ///< the rollouts that were joined
  std::optional<Ns> east;                 ///< zone of the rollouts' clock, if traces or marked steps show it
};

/// Uses marked steps and traces as additional evidence.
StepJoin join_rollouts(const MetricLog& log, const std::vector<RolloutSteps>& rollouts,
                       const std::vector<MarkedSteps>& marked, const std::vector<StepTrace>& traces);
StepJoin join_marked_steps(const MetricLog& log, const std::vector<MarkedSteps>& processes);
StepJoin join_traces(const MetricLog& log, const std::vector<StepTrace>& traces);

}  // namespace tv
