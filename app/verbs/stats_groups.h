// traceview stats --group-by, --where: statistics as the panel has them, by something else than names, or of some slices.
#pragma once

#include <memory>

#include "app/line/options.h"
#include "core/session/search/ask_statistics.h"

namespace tv {

/// The exit code; limits are said on stderr where the output is for programs.
int print_statistics(const Options& options, const std::shared_ptr<const Trace>& trace,
                     const std::shared_ptr<const Statistics>& made);
/// All columns of the first rows, in full.
std::string statistics_csv(const TableModel& model, std::size_t rows);

}  // namespace tv
