// The import report as tables: the files that were opened, and their problems, one by one. `traceview info`
// prints the same. Cost: O(files), O(problems kept): at most ProblemLog::kExamples of a kind and file.
#pragma once

#include <functional>
#include <optional>

#include "core/store/trace/trace.h"
#include "core/view/table/list_table.h"

namespace tv {

/// A row per file, in order. Its target has kind Other and the file's index. The row's tone shows whether data were lost.
ListTable sources_table(const Trace& trace);

/// The line of its file that contains a byte; none: not known.
using LineOfByte = std::function<std::optional<std::uint64_t>(const SourceInfo&, std::uint64_t)>;
/// A row per example, and one per kind and file for problems that were only counted; the target's index is the file's.
ListTable problems_table(const Trace& trace, const LineOfByte& line_of);

}  // namespace tv
