// Charts of the durations of one name's slices: a histogram, the shares that took at most and at least as long,
// a comparison of ranks (GPUs, streams, threads) in all of these and in a table, the slowest. The name is that of the
// settings, else that of the question, else the leading one (durations.h). A drag along x selects the slices in it, in
// each of them. If the area has no slices of that name they are of the whole trace, and say so. Cost: that of
// durations.h, in the background.
#pragma once

#include <string_view>
#include <vector>

#include "core/view/chart/chart.h"
#include "core/view/charts/chart_kinds.h"

namespace tv {

std::vector<Chart> duration_charts(const RunData& data, const ChartQuestion& question);

inline constexpr std::string_view kDurationsOf = "durations_of";      ///< a name, or a part of one
inline constexpr std::string_view kDurationsBy = "durations_by";      ///< "all": all ranks together
inline constexpr std::string_view kDurationsAxis = "durations_axis";  ///< "log", "linear"; else by how far they spread
inline constexpr std::string_view kDurationsBins = "durations_bins";
std::vector<ChartControl> duration_controls(const RunData& data, const ChartSettings& settings);

}  // namespace tv
