// Links each job of a step to the job of another stage that it waits for: the path of a micro-batch through the model and back.
//
//   stage 0   F0 ─┐                   ┌─► B0
//   stage 1       └─► F0 ─┐     ┌─► B0 ┘
//   stage 2               └─► F0 ─► B0
//
// With p stages and v chunks per stage (VPP) the model has p * v pieces, and chunk c of stage s is piece c * p + s: chunk c of
// the last stage sends to chunk c + 1 of the first stage. Overlapped schedules use chunk numbers for the parts of one job: all
// parts run on one stage before the next stage begins, so part c of stage s is piece s * v + c. Paddle's log does not say whether
// numbers mean chunks or parts, so times decide. Only the optimizer waits for gradients of weights (backward_w). Cost: O(jobs log
// jobs).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/store/logs/pipeline_run.h"

namespace tv {

struct PipelineLink {
  std::uint32_t from = 0, to = 0;  ///< indices into PipelineLog::jobs
  bool operator==(const PipelineLink&) const = default;
};

/// How the model is distributed over the stages in one step.
struct PipelineShape {
  std::int32_t stages = 0;
  std::int32_t chunks = 1;  ///< per stage
  bool parts = false;       ///< chunk numbers mean the parts of one job
  std::int32_t micro_batches = 0;

  /// The number of a chunk's piece of the model. The backward pass goes from the last place to the first.
  std::int32_t forward_place(std::int32_t stage, std::int32_t chunk) const {
    return parts ? stage * chunks + chunk : chunk * stages + stage;
  }
  std::int32_t backward_place(std::int32_t stage, std::int32_t chunk) const {
    return parts ? stage * chunks + (chunks - 1 - chunk) : chunk * stages + stage;
  }
};

PipelineShape pipeline_shape(const PipelineLog& log, const PipelineRunStep& step);
/// By micro-batch, in the order of its path. A missing job has no links.
std::vector<PipelineLink> pipeline_links(const PipelineLog& log, const PipelineRunStep& step);
/// Whether the first micro-batch reaches the stages in order. If not, the order of stages is wrong, or the machines' clocks
/// differ.
bool forward_in_order(const PipelineLog& log, const PipelineRunStep& step);
/// The number of links whose `to` begins before `from` has ended, by more than the noise of the log's times.
std::size_t count_too_early(const PipelineLog& log, const std::vector<PipelineLink>& links);

}  // namespace tv
