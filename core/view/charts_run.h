// Charts of a run as a whole, beyond what verl's scripts draw: which worker in which step, who held the barrier, what
// is under way, what goes with what, siblings of a prompt, what a change would buy, whether one set of requests differs
// from another.
// Makers for the table of rollout_charts.cpp, and the same with parameters for panels that have controls. Numbers come
// from core/analysis; each maker returns at least one chart, empty with a reason where there is nothing to draw.
// Cost: that of the analysis. Source: product.md section 4.2, questions Q2, Q5, Q6, Q9, Q12 to Q15.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/analysis/heat_map.h"
#include "core/analysis/request_fields.h"
#include "core/analysis/request_groups.h"
#include "core/analysis/what_if.h"
#include "core/view/chart.h"
#include "core/view/rollout_charts.h"

namespace tv {

std::vector<Chart> heat_map_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> in_flight_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> scatter_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> group_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> blame_charts(const Rollout& rollout, const ChartQuestion& question);
/// With kWhatIfDefaults.
std::vector<Chart> what_if_charts(const Rollout& rollout, const ChartQuestion& question);
/// With default_sides(), plain and length-matched.
std::vector<Chart> compare_charts(const Rollout& rollout, const ChartQuestion& question);

// With parameters.

Chart heat_map_chart(const Rollout& rollout, const HeatMap& map, HeatMeasure measure);
/// Coloured by turns.
Chart scatter_chart(const Rollout& rollout, const RequestSet& requests, RequestField x, RequestField y,
                    const std::string& scope);
std::vector<Chart> group_charts(const Rollout& rollout, const RequestSet& requests, const GroupRule& rule,
                                const std::string& scope);

inline constexpr WhatIfRule kWhatIfDefaults[] = {{WhatIfRule::Kind::TruncateDuration, 0.95},
                                                 {WhatIfRule::Kind::TruncateTokens, 1000},
                                                 {WhatIfRule::Kind::DropLate, 0.8}};
std::vector<Chart> what_if_charts(const Rollout& rollout, std::span<const WhatIfRule> rules);

struct CompareSide {
  std::string name;
  RequestSet requests;
};
/// The step that is looked at against all others; else the selected requests against the rest; else the first run
/// against the others; else the first half of the steps against the second.
std::pair<CompareSide, CompareSide> default_sides(const Rollout& rollout, const ChartQuestion& question);
Chart compare_chart(const Rollout& rollout, const CompareSide& a, const CompareSide& b, bool length_matched);

}  // namespace tv
