// Charts that compare two of the open sources: slices by name (two files, ranks or workers), and metrics (two training logs).
// Makers for the table of chart_kinds.cpp; each returns at least one chart. Cost: that of range_stats twice, or a bootstrap per
// metric, in the background.
#pragma once

#include <string_view>
#include <vector>

#include "core/view/chart/chart.h"
#include "core/view/charts/chart_kinds.h"

namespace tv {

/// A and B, named as in compared_parts() (name_differences.h). Default: the first and the second part with such slices.
inline constexpr std::string_view kDifferenceA = "difference_a", kDifferenceB = "difference_b";
inline constexpr std::string_view kDifferenceOf = "difference_of";  ///< name(WorkKind); by default kernels if any, else all
std::vector<Chart> difference_charts(const RunData& data, const ChartQuestion& question);
std::vector<ChartControl> difference_controls(const RunData& data, const ChartSettings& settings);

/// Names of training logs.
inline constexpr std::string_view kLogA = "log_a", kLogB = "log_b";
std::vector<Chart> training_difference_charts(const RunData& data, const ChartQuestion& question);
std::vector<ChartControl> training_difference_controls(const RunData& data, const ChartSettings& settings);

}  // namespace tv
