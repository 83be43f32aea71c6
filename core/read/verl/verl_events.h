// The events of a verl multi-turn rollout log: their current names, where they are drawn, and their category.
// Source: rollout logs.
#pragma once

#include <string_view>

namespace tv {

enum class VerlPlace {
  Worker,   ///< a phase of the worker's step
  Request,  ///< part of one request
};

struct VerlEvent {
  std::string_view name;      ///< as traceview shows it: legacy names become the current ones
  std::string_view category;  ///< engine, tool, reward, wait, request, turn, phase or step; determines the colour
  VerlPlace place;
};

/// Looks up a legacy or current name; other events keep their name. `has_request`: the line has a request id.
VerlEvent verl_event(std::string_view name, bool has_request);

/// Whether a line with this event begins a worker's step. The second such line in a file begins another run.
bool begins_step(std::string_view canonical_name);

}  // namespace tv
