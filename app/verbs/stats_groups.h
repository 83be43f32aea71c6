// traceview stats --group-by, --where: statistics as in the panel, grouped by something other than names, or of some slices only.
#pragma once

#include <memory>

#include "app/line/options.h"
#include "core/session/search/ask_statistics.h"

namespace tv {

/// Returns the exit code. The headline goes to stderr if the output is for programs (JSON, CSV).
int print_statistics(const Options& options, const std::shared_ptr<const Trace>& trace,
                     const std::shared_ptr<const Statistics>& made);
/// All columns of the first rows, in full.
std::string statistics_csv(const TableModel& model, std::size_t rows);

}  // namespace tv
