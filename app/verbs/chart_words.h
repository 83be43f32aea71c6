// Charts and findings on the command line: settings as words, tables as text, and as JSON.
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

/// Of "NAME=VALUE"; what is wrong with one names the settings there are, or the values it takes.
Result<ChartSettings> parse_settings(const RunData& data, const std::vector<std::string>& words);

/// The table of a chart in columns, at most `rows` of it, its facts and quantiles; a line for each chart that is empty.
/// Of a chart that is a cloud or a curve there are only the latter.
std::string table_text(const Chart& chart, std::size_t rows);
/// The same for programs: numbers with all digits, nothing left out. Rows as objects by column.
nlohmann::ordered_json chart_json(const Chart& chart);
nlohmann::ordered_json facts_json(const Chart& chart);

/// Each found thing as a paragraph: sentence, chart, place. And for programs.
std::string findings_text(const std::vector<Finding>& found, std::size_t most);
nlohmann::ordered_json findings_json(const std::vector<Finding>& found, const RunData& data);

}  // namespace tv
