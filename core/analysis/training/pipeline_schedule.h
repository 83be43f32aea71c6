// Where a pipeline's time goes: bubbles per stage and step, phases, the slowest stage, the critical path of a step.
//
//   step            |<------------------ span of the step, over all stages ------------------>|
//   forward and     |<---------------- compute: first begin to last end ------------->|
//   backward        F F F F            B F B F B  B        B        B                  O
//                   |-- warm-up -------|- steady -|---- cool-down --------------------|
//
// "Bubble" has two meanings, so there are two numbers:
//   bubble          idle / span of the step: all that the device does is work, even the optimizer. Waiting in recv_ and
//                   send_ jobs is idle.
//   compute_bubble  only forward and backward jobs are work, within `compute`: (p - 1) / (m + p - 1) predicts this bubble
//                   for p stages and m micro-batches. An optimizer that runs while other stages still go backward is
//                   idle here.
//
// Warm-up is the time before the stage's first backward job, cool-down the time after its last forward job, and steady the time
// between the two (none if all forward jobs come first). Phases divide `compute`, so warm-up begins with the first
// forward or backward job of any stage, and cool-down ends with the last. Times are those of the log.
//
// Logs of only some stages are common, for example if one workerlog was copied. The ideal refers to all stages, so there is none
// if stages are visibly missing. That is the case if there is only one stage, or if the last stage runs more forward jobs before
// its first backward job than a pipeline's last stage needs: one, or (v - 1) p + 1 with v chunks. Missing stages are not
// detected if they come before the last one, if all forward jobs come first, or if stages are not in the order of devices.
// Cost: O(jobs log jobs). Source: Paddle; Narayanan et al., SC 2021, section 2.2 (interleaved: v chunks per stage).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/logs/pipeline_links.h"

namespace tv {

enum class StagePhase : std::uint8_t { warm_up, steady, cool_down, kCount };
inline constexpr std::size_t kStagePhases = static_cast<std::size_t>(StagePhase::kCount);
std::string_view name(StagePhase phase);

/// A stage in a step. If the stage's log lacks the step, `present` is false and all other members have their defaults.
struct StageStep {
  bool present = false;
  Ns busy = 0;                            ///< union of its jobs, communication left out
  std::array<Ns, kPipelineWorks> work{};  ///< the parts of `busy`; time of two jobs counts for the earlier one
  Ns compute_busy = 0;                    ///< union of its forward and backward jobs
  double bubble = 0, compute_bubble = 0;  ///< 0 ... 1
  std::array<TimeRange, kStagePhases> phase{};
  std::array<Ns, kStagePhases> phase_idle{};
  Ns other_idle = 0;  ///< idle time outside `compute`; busy plus all idle times is the step's length
  double factor = 1;  ///< busy time divided by the median over the stages
  Ns on_path = 0;     ///< time of its jobs on the critical path
};

/// A job of the critical path, and the wait before it.
struct PathJob {
  std::uint32_t job = 0;  ///< in PipelineLog::jobs
  std::uint32_t stage = 0;
  Ns wait = 0;  ///< from the end of the previous job of the path; 0 for the first job
};

struct PipelineStepSummary {
  std::int64_t number = 0;
  std::int32_t attempt = 0;
  TimeRange span, compute;
  PipelineShape shape;
  std::optional<double> ideal;              ///< (p - 1) / (m + p - 1)
  std::string_view no_ideal;                ///< why there is no ideal: "only one stage is open"; empty if there is one
  std::optional<double> ideal_interleaved;  ///< (p - 1) / (v * m + p - 1), if stages have chunks
  double bubble = 0, compute_bubble = 0;    ///< mean over the stages that are present
  std::vector<StageStep> stages;
  std::uint32_t slowest = 0;    ///< the stage with the most busy time
  bool in_order = true;         ///< the first forward pass goes through the stages in their order
  std::uint32_t too_early = 0;  ///< number of jobs that begin more than a microsecond before a job that they need ends
  Ns path_wait = 0;             ///< waits on the critical path; with all `on_path`, they add up to the path's length
};

/// The parts of a step, in seconds: means over the stages that are present. Their sum is the step's length.
struct PipelineStepMean {
  double forward = 0, backward = 0;
  double other = 0;  ///< the optimizer, the learning rate
  double idle = 0;   ///< the bubble of the step
};
PipelineStepMean mean_of(const PipelineStepSummary& step);

struct PipelineSummary {
  std::string name;                 ///< of the run's folder
  std::vector<std::string> stages;  ///< "machine1 GPU 0"
  std::vector<PipelineStepSummary> steps;
};

/// One for each run.
std::vector<PipelineSummary> pipeline_summaries(const PipelineLog& log);

/// From the first job to the one that ends last. Before each job comes the previous job on its stage or the job that it waits for
/// (pipeline_links.h), whichever ends last.
std::vector<PathJob> critical_path(const PipelineLog& log, const PipelineRunStep& step);

/// The jobs of a micro-batch in order: forward through the model, then back.
std::vector<std::uint32_t> micro_batch_path(const PipelineLog& log, const PipelineRunStep& step,
                                            std::int32_t micro_batch);

}  // namespace tv
