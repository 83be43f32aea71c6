// Charts of the durations of all slices with one name: a histogram, a CDF and a complementary CDF, each also per rank (GPU, stream,
// thread); a table of the ranks' quantiles; and the slowest slices. The name comes from the settings, else from the question, else
// it is the leading one (durations.h). A drag along x selects the slices whose durations are in that range. If the area has no
// slices with the name, the charts show the whole trace and say so. Cost: that of durations.h, in the background.
#pragma once

#include <string_view>
#include <vector>

#include "core/view/chart/chart.h"
#include "core/view/charts/chart_kinds.h"

namespace tv {

std::vector<Chart> duration_charts(const RunData& data, const ChartQuestion& question);

inline constexpr std::string_view kDurationsOf = "durations_of";      ///< a name, or a part of one
inline constexpr std::string_view kDurationsBy = "durations_by";      ///< "all": all ranks together
inline constexpr std::string_view kDurationsAxis = "durations_axis";  ///< "log", "linear"; default: by the spread of the durations
inline constexpr std::string_view kDurationsBins = "durations_bins";
std::vector<ChartControl> duration_controls(const RunData& data, const ChartSettings& settings);

}  // namespace tv
