// The charts of training logs: those of verl's plot_timing_metrics.py, and any metric picked from a list. Makers for the table of
// chart_kinds.cpp. The x axis is the printed step, or with as_script the line number, as in the script. Cost: O(steps x series).
// Source: verl's scripts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/view/charts/chart_kinds.h"

namespace tv {

/// The breakdown of each step's time; time per token; throughput and time per step; components; generation; how far apart the
/// ranks are in each timer.
std::vector<Chart> training_charts(const RunData& data, const ChartQuestion& question);
/// A table with the breakdown of each step's time.
std::vector<Chart> training_step_charts(const RunData& data, const ChartQuestion& question);
/// One or two metrics of all logs that have them; a table of the averages of all metrics.
std::vector<Chart> metric_charts(const RunData& data, const ChartQuestion& question);

inline constexpr std::string_view kTrainingLog = "log", kMetric = "metric", kSecondMetric = "metric_2";
std::vector<ChartControl> training_controls(const RunData& data, const ChartSettings& settings);
std::vector<ChartControl> metric_controls(const RunData& data, const ChartSettings& settings);

/// The current log: the one that was chosen, else the log with most steps.
const TrainingRun& run_in_question(const Training& training, const ChartSettings& settings);

}  // namespace tv
