// What each job of a step waits for on other stages: the path of a micro-batch through the model and back.
//
//   stage 0   F0 ─┐                   ┌─► B0
//   stage 1       └─► F0 ─┐     ┌─► B0 ┘
//   stage 2               └─► F0 ─► B0
//
// With v chunks per stage (VPP) the model has p * v pieces, and chunk c of stage s is piece c * p + s: the last stage's chunk c
// sends to the first stage's chunk c + 1. Overlapped schedules use the same numbers for the parts of one job: all parts run on
// one stage before the next stage begins, so part c is piece s * v + c. Paddle's log does not say which of the two applies, so
// times decide. Only the optimizer waits for gradients of weights (backward_w). Cost: O(jobs log jobs).
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
  bool parts = false;       ///< chunks are parts of one job
  std::int32_t micro_batches = 0;

  /// Place in the forward direction of the model; a backward job goes from the last place to the first.
  std::int32_t forward_place(std::int32_t stage, std::int32_t chunk) const {
    return parts ? stage * chunks + chunk : chunk * stages + stage;
  }
  std::int32_t backward_place(std::int32_t stage, std::int32_t chunk) const {
    return parts ? stage * chunks + (chunks - 1 - chunk) : chunk * stages + stage;
  }
};

PipelineShape pipeline_shape(const PipelineLog& log, const PipelineRunStep& step);
/// By micro-batch, in the order of its path. Missing jobs leave a gap.
std::vector<PipelineLink> pipeline_links(const PipelineLog& log, const PipelineRunStep& step);
/// Whether the first micro-batch reaches the stages in order. If not, the stages are wrong, or the clocks of machines differ.
bool forward_in_order(const PipelineLog& log, const PipelineRunStep& step);
/// Links whose job begins before the one it waits for has ended, by more than the noise of the log's times.
std::size_t count_too_early(const PipelineLog& log, const std::vector<PipelineLink>& links);

}  // namespace tv
