#include "core/session/records/problem_lines.h"

#include <algorithm>
#include <vector>

#include "core/session/records/text_lines.h"

namespace tv {

ProblemLines problem_lines(std::span<const SourceInfo> sources, std::stop_token stop, std::uint64_t most) {
  ProblemLines out;
  for (const SourceInfo& source : sources) {
    if (stop.stop_requested()) break;
    std::vector<std::uint64_t> bytes;
    for (const ProblemCount& problem : source.problems.entries()) {
      if (!is_placed_in_text(source, problem.kind)) continue;
      for (const ProblemExample& example : problem.examples) bytes.push_back(example.byte_offset);
    }
    if (bytes.empty()) continue;
    std::ranges::sort(bytes);
    const auto lines = lines_of_bytes(source.path, bytes, most);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (lines[i]) out[{source.path, bytes[i]}] = *lines[i];
    }
  }
  return out;
}

std::optional<std::uint64_t> line_at(const ProblemLines& lines, const SourceInfo& source, std::uint64_t byte) {
  const auto found = lines.find({source.path, byte});
  return found == lines.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tv
