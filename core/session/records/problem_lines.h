// The lines of the examples in the import report, counted from 1 as in editors. Reads files, so it runs in the background. Places
// that are not in the text of a file have no lines (is_placed_in_text).
// Cost: each file once, up to its last example and at most its first `most` bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>

#include "core/store/draft/source_info.h"

namespace tv {

/// By path and byte; without lines that are not known.
using ProblemLines = std::map<std::pair<std::string, std::uint64_t>, std::uint64_t>;

/// After a stop request, the lines of the remaining files are missing.
ProblemLines problem_lines(std::span<const SourceInfo> sources, std::stop_token stop = {},
                           std::uint64_t most = std::uint64_t{16} << 20);
/// `byte`: the place of an example in the text.
std::optional<std::uint64_t> line_at(const ProblemLines& lines, const SourceInfo& source, std::uint64_t byte);

}  // namespace tv
