// Writes rows of statistics as JSON, with the unrounded figures of core/view/words/statistics_figures.h.
#pragma once

#include <nlohmann/json.hpp>

#include "core/query/range_stats.h"

namespace tv {

/// {"count": 3, "total_ns": 1200, ...}. A figure is 0 if there are too few slices to compute it.
nlohmann::ordered_json figures_json(const LabelStats& row, const RangeStats& all);
/// One object for each of the first `rows` names, with its category and figures. `stats` must have at least `rows` names.
nlohmann::ordered_json label_stats_json(const Trace& trace, const RangeStats& stats, std::size_t rows);

}  // namespace tv
