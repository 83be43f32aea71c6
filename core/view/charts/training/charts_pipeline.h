// Charts of a pipeline: the idle share of its stages in each step, compared with the idle time that the schedule makes unavoidable,
// and where one step's time goes on each stage. Numbers come from core/analysis/training/pipeline_schedule.h, for the window and
// `traceview report` alike. Cost: O(steps * stages).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/training/pipeline_schedule.h"
#include "core/view/chart/chart.h"
#include "core/view/charts/chart_kinds.h"

namespace tv {

/// The charts of all runs. `number`: the current step; a run without it shows the nearest one. None: the longest step.
std::vector<Chart> pipeline_charts(const std::vector<PipelineSummary>& runs, std::optional<std::int64_t> number);

/// The same for the step of the settings: the maker for the table of chart_kinds.cpp.
std::vector<Chart> charts_of_pipelines(const RunData& data, const ChartQuestion& question);
inline constexpr std::string_view kPipelineStep = "pipeline_step";
std::vector<ChartControl> pipeline_controls(const RunData& data, const ChartSettings& settings);

/// Index of the step with this number, as in pipeline_charts().
std::size_t step_looked_at(const PipelineSummary& run, std::optional<std::int64_t> number);

}  // namespace tv
