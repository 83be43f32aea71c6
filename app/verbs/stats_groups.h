// traceview stats --group-by, --where: statistics as in the panel, with groups other than names, or only of matching slices.
#pragma once

#include <memory>

#include "app/line/options.h"
#include "core/session/search/ask_statistics.h"

namespace tv {

/// Returns the exit code. With JSON or CSV, the headline goes to stderr.
int print_statistics(const Options& options, const std::shared_ptr<const Trace>& trace,
                     const std::shared_ptr<const Statistics>& made);
/// All columns of the first rows, with full texts.
std::string statistics_csv(const TableModel& model, std::size_t rows);

}  // namespace tv
