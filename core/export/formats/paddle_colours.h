// The colours of chrome://tracing that Paddle's own tool gives to the jobs of a pipeline, and those that it leaves out:
// its table has "forward" and not "forward0" (virtual stages), "backward" and not "backward_b" (zero bubble).
// Paddle.
#pragma once

#include <string_view>

namespace tv {

/// By type of job, or "step"; empty where the tool has none either.
inline std::string_view paddle_colour(std::string_view type) {
  if (type.starts_with("forward")) return "thread_state_running";
  if (type.starts_with("backward_w")) return "rail_load";  // the gradients of the weights, beside those of the inputs
  if (type.starts_with("backward")) return "rail_idle";
  if (type == "optimizer") return "rail_response";
  if (type == "default" || type == "step") return "thread_state_unknown";
  return {};
}

}  // namespace tv
