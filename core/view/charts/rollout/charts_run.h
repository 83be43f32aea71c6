// Charts of a whole run, beyond what verl's scripts draw: workers by step, which worker ended last, requests in flight,
// which fields correlate, siblings of a prompt, the effect of a change, whether one set of requests differs from another. These
// are the makers for the table of chart_kinds.cpp, and their variants with parameters for panels that have controls. Numbers come
// from core/analysis. Each maker returns at least one chart, empty with a reason if there is nothing to draw. Cost: that of the
// analysis.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/requests/request_fields.h"
#include "core/analysis/requests/request_groups.h"
#include "core/analysis/rollout/heat_map.h"
#include "core/analysis/rollout/what_if.h"
#include "core/analysis/run/compare_sides.h"
#include "core/view/chart/chart.h"
#include "core/view/charts/chart_kinds.h"

namespace tv {

std::vector<Chart> heat_map_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> in_flight_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> scatter_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> group_charts(const Rollout& rollout, const ChartQuestion& question);
std::vector<Chart> blame_charts(const Rollout& rollout, const ChartQuestion& question);
/// With the rules of what_if_rules().
std::vector<Chart> what_if_charts(const Rollout& rollout, const ChartQuestion& question);
/// With compare_sides(), plain and length-matched.
std::vector<Chart> compare_charts(const Rollout& rollout, const ChartQuestion& question);

// With parameters.

Chart heat_map_chart(const Rollout& rollout, const HeatMap& map, HeatMeasure measure);
/// Coloured by turns.
Chart scatter_chart(const Rollout& rollout, const RequestSet& requests, RequestField x, RequestField y,
                    const std::string& scope);
std::vector<Chart> group_charts(const Rollout& rollout, const RequestSet& requests, const GroupRule& rule,
                                const std::string& scope);

/// One of each kind, with the values of the settings.
std::vector<WhatIfRule> what_if_rules(const ChartSettings& settings);
std::vector<Chart> what_if_charts(const Rollout& rollout, std::span<const WhatIfRule> rules);

/// `log_x`: durations on a logarithmic axis.
Chart compare_chart(const Rollout& rollout, const CompareSides& sides, bool length_matched, bool log_x = false);

// The settings and their names.

inline constexpr std::string_view kCompareA = "compare_a", kCompareB = "compare_b";
std::vector<ChartControl> compare_controls(const Rollout& rollout, const ChartSettings& settings);
inline constexpr std::string_view kTruncateAt = "what_if_truncate", kTokensAt = "what_if_tokens",
                                  kDropAfter = "what_if_drop";
std::vector<ChartControl> what_if_controls(const Rollout& rollout, const ChartSettings& settings);
inline constexpr std::string_view kGroupNumbers = "group_numbers", kGroupSiblings = "group_siblings";
std::vector<ChartControl> group_controls(const Rollout& rollout, const ChartSettings& settings);

}  // namespace tv
