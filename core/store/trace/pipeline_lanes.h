// Makes a lane for the steps of each pipeline run, which all devices of the run have in common, and arrows along the path of each
// micro-batch (pipeline_links.h).
#pragma once

#include <string_view>
#include <vector>

#include "core/store/draft/event_batch.h"
#include "core/store/draft/lane_spec.h"
#include "core/store/logs/pipeline_run.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The tracks of a pipeline log, for its jobs and for the steps of its run.
inline constexpr std::string_view kPipelineJobs = "jobs";
inline constexpr std::string_view kPipelineSteps = "steps";

LaneSpec pipeline_steps_lane(const PipelineLog& log, const PipelineRun& run);

struct PipelineStepSlice {
  std::uint32_t source = 0;  ///< source of the slice's record, which is the first job of the first stage
  TimeRange span;            ///< as drawn, in the trace's time
  std::int64_t number = 0;
  std::uint64_t offset = 0;  ///< of the record
};
std::vector<PipelineStepSlice> pipeline_step_slices(const PipelineLog& log, const PipelineRun& run);

struct PipelineArrows {
  std::vector<SegmentFlow> flows;       ///< sorted by from, to
  std::vector<std::uint32_t> doubtful;  ///< for each step whose times contradict the links: its first PipelineStep
};
/// `jobs`: by device, the lane of its jobs. A job outside the window has no slice and no arrow. A step gets no arrows if the
/// first micro-batch does not reach the stages in order, or if most jobs begin before the end of the job that they should wait
/// for: then it is unknown what waits for what.
PipelineArrows pipeline_arrows(const Trace& trace, const std::vector<PipelineRun>& runs,
                               const std::vector<LaneId>& jobs);

/// Whether a slice is from the log of a pipeline. O(devices).
bool is_pipeline_job(const Trace& trace, SliceId slice);

}  // namespace tv
