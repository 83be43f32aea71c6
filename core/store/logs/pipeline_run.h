// The pipelines of a PipelineLog: which devices are their stages, in which order, and their common steps.
//
// Every device that has a step is a stage. Stages are in natural order of machine and device, which is how Paddle's launcher
// numbers ranks; forward_in_order() (pipeline_links.h) checks it against the times. A step is identified by its number, and by the
// attempt if a log has several runs. It lasts from the first begin to the last end on any device.
// Cost: O(steps log steps).
#pragma once

#include <cstdint>
#include <vector>

#include "core/store/logs/pipeline_log.h"

namespace tv {

inline constexpr std::uint32_t kNoPart = UINT32_MAX;

struct PipelineRunStep {
  std::int64_t number = 0;
  std::int32_t attempt = 0;
  TimeRange span;                    ///< over all devices
  std::vector<std::uint32_t> parts;  ///< by stage: index into PipelineLog::steps, or kNoPart
};

struct PipelineRun {
  std::vector<std::uint32_t> stages;   ///< indices into PipelineLog::devices, first stage first
  std::vector<PipelineRunStep> steps;  ///< by attempt, then number
};

/// By folder, in natural order.
std::vector<PipelineRun> pipeline_runs(const PipelineLog& log);

/// If the logs of some devices state their first step, the run's other devices are assumed to begin with the same one.
void share_step_numbers(PipelineLog& log);

/// The range drawn for each step. As in Paddle's tool, a step never begins before the previous one ends.
std::vector<TimeRange> steps_one_after_the_other(const PipelineRun& run);

/// The steps that touch the window, each complete: a bubble involves all devices.
PipelineLog crop(const PipelineLog& log, TimeRange window);

}  // namespace tv
