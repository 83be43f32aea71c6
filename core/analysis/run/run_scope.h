// The part of a run that is in a scope (scope.h). GPUs are clipped to the scope. In logs, a step that touches the scope counts in
// full, since its parts and bubbles refer to the whole step. Slices, lines and steps keep their numbers in the trace, so
// that clicks lead to the same places. If the scope contains no data of a part, all of the part is shown and the chart says so,
// because an empty chart would not explain itself.
// Cost: one sweep per GPU over the range; O(steps * metrics).
#pragma once

#include <string>

#include "core/analysis/run/run_data.h"
#include "core/analysis/scope/scope.h"

namespace tv {

struct ScopedRun {
  RunData data;
  std::string area_text;  ///< for titles: "in 3.033 s of 5 lanes", "all data: no GPU worked in 3.033 s"
  bool inside = true;     ///< the scope contains data of the part
};

/// Limits only `part`. A rollout is not limited here, but by the selected requests; charts of slices apply the scope themselves.
ScopedRun run_within(const RunData& all, const Scope& scope, RunPart part, ThreadPool& pool);

/// Null if no step touches the range.
std::shared_ptr<const Training> training_within(const Training& all, TimeRange range);

}  // namespace tv
