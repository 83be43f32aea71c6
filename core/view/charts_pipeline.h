// Charts of a pipeline: how much of each step its stages stand idle, beside what the schedule cannot avoid, and where
// one step's time goes on each stage. Numbers come from core/analysis/pipeline_schedule.h, for the window and
// `traceview report` alike. Cost: O(steps * stages).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/pipeline_schedule.h"
#include "core/view/chart.h"

namespace tv {

/// Of all runs. `number`: the step that is looked at; where a run does not have it, or there is none, its longest one.
std::vector<Chart> pipeline_charts(const std::vector<PipelineSummary>& runs, std::optional<std::int64_t> number);

/// Index of that step.
std::size_t step_looked_at(const PipelineSummary& run, std::optional<std::int64_t> number);

}  // namespace tv
