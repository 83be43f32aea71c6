// Rows of statistics as JSON: the figures of core/view/words/statistics_figures.h, exact.
#pragma once

#include <nlohmann/json.hpp>

#include "core/query/range_stats.h"

namespace tv {

/// {"count": 3, "total_ns": 1200, ...}; 0 if there are too few slices for a figure.
nlohmann::ordered_json figures_json(const LabelStats& row, const RangeStats& all);
/// One object for each of the first `rows` names, with its category and figures. There must be that many names.
nlohmann::ordered_json label_stats_json(const Trace& trace, const RangeStats& stats, std::size_t rows);

}  // namespace tv
