// The charts of verl's seven analysis scripts, as makers for the table of chart_kinds.cpp. Their numbers come from core/analysis;
// here they get titles, axes, colours, and targets of clicks. Each maker returns at least one chart, empty with a reason if there
// is nothing to draw. With ChartQuestion::as_script the charts show what the script computes. Cost: that of the analysis; at most
// some thousand points per chart. Source: verl's scripts.
#pragma once

#include <vector>

#include "core/view/chart/chart.h"
#include "core/view/charts/chart_kinds.h"

namespace tv {

std::vector<Chart> request_cdf_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<ChartControl> request_cdf_controls(const Rollout& rollout, const ChartSettings& settings);
std::vector<Chart> step_overview_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> worker_phase_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> request_breakdown_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> turn_cost_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> turn_distribution_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> event_share_charts(const Rollout& rollout, const ChartQuestion& question);

}  // namespace tv
