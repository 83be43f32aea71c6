// Finds the pipelines of a PipelineLog: which devices are the stages of each, in which order, and which of their steps belong
// together.
//
// Every device with a step is a stage. Stages are in natural order of machine and device, because Paddle's launcher numbers ranks
// in that order; forward_in_order() (pipeline_links.h) compares this order with the times. A step is identified by its number
// and, if a log has several runs, by the attempt. It lasts from its first begin on any device to its last end on any device.
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

/// One run for each folder, in natural order of folders.
std::vector<PipelineRun> pipeline_runs(const PipelineLog& log);

/// Some logs state the number of their first step. Numbers the steps of the other devices of the same run from there.
void share_step_numbers(PipelineLog& log);

/// The range to draw for each step. As in Paddle's tool, a step never begins before the previous one ends.
std::vector<TimeRange> steps_one_after_the_other(const PipelineRun& run);

/// Keeps the steps that touch the window. They stay whole, because a bubble involves all devices.
PipelineLog crop(const PipelineLog& log, TimeRange window);

}  // namespace tv
