// The import report as tables: the files that were opened, and their problems, one by one or by kind. `traceview info`
// prints the same files and problems. Cost: O(files), O(problems kept): at most ProblemLog::kExamples of a kind and file.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/store/trace/trace.h"
#include "core/view/table/list_table.h"
#include "core/view/words/text_place.h"

namespace tv {

/// A row per file, in order. Its target has kind Other and the file's index. The row's tone shows whether data were lost.
ListTable sources_table(const Trace& trace);

/// The line of its file that contains a byte; none: not known.
using LineOfByte = std::function<std::optional<std::uint64_t>(const SourceInfo&, std::uint64_t)>;
/// A row per example, and one per kind and file for problems that were only counted; the target's index is the file's.
ListTable problems_table(const Trace& trace, const LineOfByte& line_of);

/// The problems of one kind in all files.
struct ProblemsOfKind {
  ProblemKind kind{};
  std::uint64_t count = 0;
  std::size_t files = 0;
  std::size_t most_in = 0;         ///< the file with the most of them; of several, the first
  std::optional<TextPlace> place;  ///< of the first one in that file; none: it was only counted, or is a row of a database
  std::string text;                ///< at that place
};
/// Losses first, then repairs; the most frequent first within each.
std::vector<ProblemsOfKind> problems_by_kind(std::span<const SourceInfo> sources);
/// A row per kind, in their order. The target has kind Other and the index of the kind.
ListTable problem_kinds_table(std::span<const ProblemsOfKind> kinds, std::span<const SourceInfo> sources);

}  // namespace tv
