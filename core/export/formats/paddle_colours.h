// The colours of chrome://tracing that Paddle's own tool gives to the jobs of a pipeline, and our colours for jobs that its
// table lacks: it has "forward" but not "forward0" (virtual stages), "backward" but not "backward_b" (zero bubble). Source: Paddle.
#pragma once

#include <string_view>

namespace tv {

/// `type`: the type of a job, or "step". Empty for a type without a colour.
inline std::string_view paddle_colour(std::string_view type) {
  if (type.starts_with("forward")) return "thread_state_running";
  if (type.starts_with("backward_w")) return "rail_load";  // zero bubble: gradients of weights, shown next to those of inputs
  if (type.starts_with("backward")) return "rail_idle";
  if (type == "optimizer") return "rail_response";
  if (type == "default" || type == "step") return "thread_state_unknown";
  return {};
}

}  // namespace tv
