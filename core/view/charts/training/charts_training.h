// The charts of training logs: those of verl's plot_timing_metrics.py, and any metric picked from a list. Makers for the table
// of chart_kinds.cpp. All have the printed step along x; with as_script they have the number of the line, as the script does.
// Cost: O(steps x series). Source: verl's scripts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/view/charts/chart_kinds.h"

namespace tv {

/// Where the time of a step went; per token; throughput and time per step; components; generation.
std::vector<Chart> training_charts(const RunData& data, const ChartQuestion& question);
/// A table of what each step went into.
std::vector<Chart> training_step_charts(const RunData& data, const ChartQuestion& question);
/// One metric, or two, of all logs that have it; a table of what each metric is on average.
std::vector<Chart> metric_charts(const RunData& data, const ChartQuestion& question);

inline constexpr std::string_view kTrainingLog = "log", kMetric = "metric", kSecondMetric = "metric_2";
std::vector<ChartControl> training_controls(const RunData& data, const ChartSettings& settings);
std::vector<ChartControl> metric_controls(const RunData& data, const ChartSettings& settings);

/// The current log: the one that was chosen, else the log with most steps.
const TrainingRun& run_in_question(const Training& training, const ChartSettings& settings);

}  // namespace tv
