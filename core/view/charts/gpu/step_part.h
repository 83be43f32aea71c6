// The parts of a training step, so that the same work has the same colour in every log: phases of verl, timers of Megatron-LM and
// Megatron-DeepSpeed, and similar names of other programs. There is one table of names; the first match wins.
#pragma once

#include <cstdint>
#include <string_view>

namespace tv {

enum class StepPart : std::uint8_t {
  Preprocessing,
  Generate,
  Wait,
  Rest,           ///< known to be something else, or not known
  Training,       ///< forward, backward, optimizer
  Scoring,        ///< rewards, values, log-probabilities
  Communication,  ///< gradients, weights, activations between processes
  Saving,         ///< checkpoints, and validation
  Whole,          ///< a step without a breakdown
  // For GPUs in a step of a profiler's trace (gpu_steps.h).
  Compute,        ///< including the communication that is hidden behind it
  Graphs,         ///< whose kernels were not recorded
  Exposed,
  Copies,
  // For a pipeline's stages.
  Forward,
  Backward,
  OtherWork,      ///< the optimizer, the learning rate
  // For both; drawn on top of all others.
  Idle,
  Unrecorded,
  kCount
};
inline constexpr std::size_t kStepParts = static_cast<std::size_t>(StepPart::kCount);
std::string_view name(StepPart part);
/// From the chart palette, the same as in charts of the same work.
int color_of(StepPart part);

/// By the name in the log: "old_log_prob", "forward-compute", "timing_s/gen" without its prefix.
StepPart step_part(std::string_view logged);

}  // namespace tv
