// The parts of a training step, which give the same work the same colour in every log. One table maps names to parts: phases of
// verl, timers of Megatron-LM and Megatron-DeepSpeed, and similar names of other programs. The first match wins.
#pragma once

#include <cstdint>
#include <string_view>

namespace tv {

enum class StepPart : std::uint8_t {
  Preprocessing,
  Generate,
  Wait,
  Rest,           ///< another part, or an unknown one
  Training,       ///< forward, backward, optimizer
  Scoring,        ///< rewards, values, log-probabilities
  Communication,  ///< gradients, weights, activations between processes
  Saving,         ///< checkpoints, and validation
  Whole,          ///< a step without a breakdown
  // For GPUs in a step of a profiler's trace (gpu_steps.h).
  Compute,        ///< including the communication that is hidden behind it
  Graphs,         ///< graphs whose kernels were not recorded
  Exposed,        ///< communication that no computing hides
  Copies,
  // For a pipeline's stages.
  Forward,
  Backward,
  OtherWork,      ///< the optimizer, the learning rate
  // For GPUs and pipelines; drawn on top of all others.
  Idle,
  Unrecorded,
  kCount
};
inline constexpr std::size_t kStepParts = static_cast<std::size_t>(StepPart::kCount);
std::string_view name(StepPart part);
/// From the chart palette, the same as in charts of the same work.
int color_of(StepPart part);

/// The part that a name in a log stands for: "old_log_prob", "forward-compute", "gen" (from "timing_s/gen").
StepPart step_part(std::string_view logged);

}  // namespace tv
