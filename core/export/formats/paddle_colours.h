// The colours of chrome://tracing that Paddle's own tool gives to the jobs of a pipeline, and colours for those it leaves out:
// its table has "forward" but not "forward0" (virtual stages), "backward" but not "backward_b" (zero bubble). Source: Paddle.
#pragma once

#include <string_view>

namespace tv {

/// `type`: of a job, or "step". Empty if the tool has no colour either.
inline std::string_view paddle_colour(std::string_view type) {
  if (type.starts_with("forward")) return "thread_state_running";
  if (type.starts_with("backward_w")) return "rail_load";  // the gradients of the weights, next to those of the inputs
  if (type.starts_with("backward")) return "rail_idle";
  if (type == "optimizer") return "rail_response";
  if (type == "default" || type == "step") return "thread_state_unknown";
  return {};
}

}  // namespace tv
