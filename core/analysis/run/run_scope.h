// The part of a run that is in a scope (scope.h): GPUs clipped to it, of logs the steps that touch it, whole, since a
// step's parts and a bubble are of all of it. Numbers of slices, lines and steps stay those of the trace, so clicks lead
// where they did. Where nothing of a part is in the scope that part stays whole, and is said to be: what a chart is empty
// of says nothing. Cost: one sweep per GPU over the range; O(steps * metrics).
#pragma once

#include <string>

#include "core/analysis/run/run_data.h"
#include "core/analysis/scope/scope.h"

namespace tv {

struct ScopedRun {
  RunData data;
  std::string said;      ///< "in 3.033 s of 5 lanes", "of the whole trace: no GPU did anything in 3.033 s"
  bool inside = true;    ///< something of the part is in the scope
};

/// Only `part` is limited; a rollout is limited by the requests that are selected.
ScopedRun run_within(const RunData& all, const Scope& scope, RunPart part, ThreadPool& pool);

/// Null: no step touches it.
std::shared_ptr<const Training> training_within(const Training& all, TimeRange range);

}  // namespace tv
