// Adds one lane of steps per pipeline run, which spans all its devices, and arrows along the path of each micro-batch
// (pipeline_links.h).
#pragma once

#include <string_view>
#include <vector>

#include "core/store/draft/event_batch.h"
#include "core/store/draft/lane_spec.h"
#include "core/store/logs/pipeline_run.h"
#include "core/store/trace/trace.h"

namespace tv {

/// Tracks of a pipeline log: its jobs, and the steps of its run.
inline constexpr std::string_view kPipelineJobs = "jobs";
inline constexpr std::string_view kPipelineSteps = "steps";

LaneSpec pipeline_steps_lane(const PipelineLog& log, const PipelineRun& run);

struct PipelineStepSlice {
  std::uint32_t source = 0;  ///< source of the slice's record: the first job of its first stage
  TimeRange span;            ///< as drawn, in the trace's time
  std::int64_t number = 0;
  std::uint64_t offset = 0;
};
std::vector<PipelineStepSlice> pipeline_step_slices(const PipelineLog& log, const PipelineRun& run);

struct PipelineArrows {
  std::vector<SegmentFlow> flows;              ///< sorted by from, to
  std::vector<std::uint32_t> doubtful;  ///< the first PipelineStep of each step whose times contradict the links
};
/// `jobs`: the lane of each device's jobs. A job outside a window has no slice, and no arrow. A step gets no arrows if the first
/// micro-batch does not reach the stages in their order, or most jobs begin before the job they would wait for has ended: then the
/// dependencies are unknown.
PipelineArrows pipeline_arrows(const Trace& trace, const std::vector<PipelineRun>& runs,
                               const std::vector<LaneId>& jobs);

/// Whether it is a slice of a pipeline's log. O(devices).
bool is_pipeline_job(const Trace& trace, SliceId slice);

}  // namespace tv
