// Charts and findings on the command line: parses settings, prints tables as text and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/analysis/findings/findings.h"
#include "core/view/charts/chart_kinds.h"

namespace tv {

/// "no rollout log (step_N/worker_M.jsonl) among the files".
std::string_view missing_text(RunPart part);
inline constexpr std::string_view kNothingToReport =
    "no rollout log (step_N/worker_M.jsonl), training log, pipeline log (workerlog.N) or trace with work on a GPU "
    "among the files";

/// Parses "NAME=VALUE"; the error lists the existing settings, or the allowed values.
Result<ChartSettings> parse_settings(const RunData& data, const std::vector<std::string>& words);

/// The table of a chart in columns (at most `rows` rows), its facts and quantiles; if it is empty, the reason. For a scatter
/// plot or a curve facts, quantiles and the number of points.
std::string table_text(const Chart& chart, std::size_t rows);
/// The same for programs: numbers with all digits, nothing left out. Rows are objects with the columns as keys.
nlohmann::ordered_json chart_json(const Chart& chart);
nlohmann::ordered_json facts_json(const Chart& chart);

/// Each finding as a paragraph: sentence, chart, place. findings_json: the same for programs.
std::string findings_text(const std::vector<Finding>& found, std::size_t most);
nlohmann::ordered_json findings_json(const std::vector<Finding>& found, const RunData& data);

}  // namespace tv
