// Charts and findings on the command line: parses chart settings, and writes tables as text and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/analysis/findings/findings.h"
#include "core/view/charts/chart_kinds.h"

namespace tv {

/// Says that the part is missing: "no rollout log (step_N/worker_M.jsonl) among the files".
std::string_view missing_text(RunPart part);
inline constexpr std::string_view kNothingToReport =
    "no rollout log (step_N/worker_M.jsonl), training log, pipeline log (workerlog.N) or trace with work on a GPU "
    "among the files";

/// Parses words of the form "NAME=VALUE". The error lists the available settings, or the allowed values.
Result<ChartSettings> parse_settings(const RunData& data, const std::vector<std::string>& words);

/// The table of a chart in columns (at most `rows` rows), then its facts and quantiles. A scatter plot or a curve has the number of
/// points instead of a table. If the chart is empty: the reason.
std::string table_text(const Chart& chart, std::size_t rows);
/// The same for programs: all rows, and numbers with all digits. Rows are objects with the column titles as keys.
nlohmann::ordered_json chart_json(const Chart& chart);
nlohmann::ordered_json facts_json(const Chart& chart);

/// A paragraph for each of the first `most` findings: sentence, place, chart. findings_json() gives all, for programs.
std::string findings_text(const std::vector<Finding>& found, std::size_t most);
nlohmann::ordered_json findings_json(const std::vector<Finding>& found, const RunData& data);

}  // namespace tv
