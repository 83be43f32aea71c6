// The lines of the examples in the import report, counted from 1 as in editors. Reads files, so it runs in the background.
// Cost: each file once, up to its last example and at most its first 16 MiB.
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
ProblemLines problem_lines(std::span<const SourceInfo> sources, std::stop_token stop = {});
std::optional<std::uint64_t> line_at(const ProblemLines& lines, const SourceInfo& source, std::uint64_t byte);

}  // namespace tv
