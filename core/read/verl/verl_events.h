// The events of a verl multi-turn rollout log: how each is named today, where it is drawn, what it is about.
// Source: rollout logs.
#pragma once

#include <string_view>

namespace tv {

enum class VerlPlace {
  Worker,   ///< a phase of the worker's step
  Request,  ///< part of one request
};

struct VerlEvent {
  std::string_view name;      ///< as this version of traceview shows it (legacy names mapped)
  std::string_view category;  ///< engine, tool, reward, wait, request, phase: what colours go by
  VerlPlace place;
};

/// Known events, legacy and 2026 names; others keep their name. `has_request`: the line carries a request id.
VerlEvent verl_event(std::string_view name, bool has_request);

/// Is this a line that begins a worker's step? Seen twice in a file, the second begins another run.
bool begins_step(std::string_view canonical_name);

}  // namespace tv
