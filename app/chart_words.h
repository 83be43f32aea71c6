// Charts on the command line: settings as words, tables as text.
#pragma once

#include <string>
#include <vector>

#include "core/view/chart_kinds.h"

namespace tv {

/// Of "NAME=VALUE"; what is wrong with one names the settings there are, or the values it takes.
Result<ChartSettings> parse_settings(const RunData& data, const std::vector<std::string>& words);

/// The table of a chart in columns, at most `rows` of it, and its facts; a line for each chart that is empty.
std::string table_text(const Chart& chart, std::size_t rows);

}  // namespace tv
