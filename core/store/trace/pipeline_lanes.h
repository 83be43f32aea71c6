// Adds to the jobs of a pipeline one lane of steps per run, which spans all its devices,
// and arrows along the way of each micro-batch (pipeline_links.h).
#pragma once

#include <string_view>
#include <vector>

#include "core/store/draft/event_batch.h"
#include "core/store/draft/lane_spec.h"
#include "core/store/logs/pipeline_run.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The track of a pipeline log's jobs. The lane of its steps is next to it, or next to its machine.
inline constexpr std::string_view kPipelineJobs = "jobs";
inline constexpr std::string_view kPipelineSteps = "steps";

LaneSpec pipeline_steps_lane(const PipelineLog& log, const PipelineRun& run);

struct PipelineStepSlice {
  std::uint32_t source = 0;  ///< source of the record that the slice refers to: the first job of its first stage
  TimeRange span;            ///< as drawn, in the trace's time
  std::int64_t number = 0;
  std::uint64_t offset = 0;
};
std::vector<PipelineStepSlice> pipeline_step_slices(const PipelineLog& log, const PipelineRun& run);

struct PipelineArrows {
  std::vector<SegmentFlow> flows;              ///< sorted by from, to
  std::vector<std::uint32_t> doubtful;  ///< a part of each step without arrows, as its times contradict them
};
/// `jobs`: the lane of each device's jobs. A job that was cut off by a window has no slice, and no arrow. Where the
/// first micro-batch does not reach the stages in their order, or most jobs begin before what they would wait for has
/// ended, it is not known what waits for what.
PipelineArrows pipeline_arrows(const Trace& trace, const std::vector<PipelineRun>& runs,
                               const std::vector<LaneId>& jobs);

/// Is it a slice of a pipeline's log? O(devices).
bool is_pipeline_job(const Trace& trace, SliceId slice);

}  // namespace tv
