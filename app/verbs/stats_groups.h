// traceview stats --group-by, --where: statistics as in the panel, by something else than names, or for some slices only.
#pragma once

#include <memory>

#include "app/line/options.h"
#include "core/session/search/ask_statistics.h"

namespace tv {

/// Returns the exit code; limits are printed to stderr if the output is for programs.
int print_statistics(const Options& options, const std::shared_ptr<const Trace>& trace,
                     const std::shared_ptr<const Statistics>& made);
/// All columns of the first rows, in full.
std::string statistics_csv(const TableModel& model, std::size_t rows);

}  // namespace tv
