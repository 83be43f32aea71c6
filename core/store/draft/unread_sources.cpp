#include "core/store/draft/unread_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/text/count_text.h"
#include "core/base/text/path_parts.h"

namespace tv {
namespace {

constexpr std::size_t kEndingsNamed = 3, kMostLines = 20;

std::string reason_of(const SourceInfo& source) {
  if (!source.reason.empty()) return source.reason;
  return source.state == SourceState::LeftOut ? "left out: part of another rank, role, step or device" : std::string(name(source.state));
}

std::string ending_of(std::string_view path) {
  const std::string_view file = last_part(path);
  const std::size_t dot = file.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? "without ending" : std::string(file.substr(dot));
}

// "2,100 .py, 900 .md, 812 others"
std::string endings_text(const std::vector<SourceInfo>& sources, const UnreadKind& kind) {
  std::map<std::string, std::size_t> counts;
  for (const std::size_t s : kind.sources) ++counts[ending_of(sources[s].path)];
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second > b.second; });
  if (sorted.size() == 1) return "all " + sorted[0].first;
  std::string text;
  std::size_t rest = kind.sources.size();
  for (std::size_t i = 0; i < std::min(sorted.size(), kEndingsNamed); ++i) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", format_count(sorted[i].second), sorted[i].first);
    rest -= sorted[i].second;
  }
  return rest == 0 ? text : fmt::format("{}, {} others", text, format_count(rest));
}

}  // namespace

std::string why_empty(const SourceInfo& source) {
  for (const ProblemCount& problem : source.problems.entries()) {
    if (problem.kind != ProblemKind::no_steps && problem.kind != ProblemKind::no_jobs) continue;
    const bool has_note = !problem.examples.empty() && !problem.examples.front().excerpt.empty();
    return has_note ? problem.examples.front().excerpt : std::string(info(problem.kind).help);
  }
  return {};
}

bool unread(const SourceInfo& source) {
  return source.state == SourceState::LeftOut || source.state == SourceState::NotReadYet || source.state == SourceState::Rejected;
}

std::vector<UnreadKind> unread_kinds(const std::vector<SourceInfo>& sources) {
  std::vector<UnreadKind> kinds;
  std::map<std::string, std::size_t> of_reason;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (!unread(sources[s])) continue;
    const auto [at, is_new] = of_reason.try_emplace(reason_of(sources[s]), kinds.size());
    if (is_new) kinds.push_back({at->first, {}});
    kinds[at->second].sources.push_back(s);
  }
  return kinds;
}

std::vector<std::string> unread_lines(const std::vector<SourceInfo>& sources) {
  std::vector<std::string> lines;
  std::size_t more = 0;
  for (const UnreadKind& kind : unread_kinds(sources)) {
    const bool named = kind.sources.size() <= kUnreadNamed;
    const std::size_t wanted = named ? kind.sources.size() : 1;
    if (lines.size() + wanted > kMostLines) {
      more += kind.sources.size();
    } else if (named) {
      for (const std::size_t s : kind.sources) lines.push_back(fmt::format("{}: {}", sources[s].path, kind.reason));
    } else {
      lines.push_back(fmt::format("{} files: {} ({}; {}, ...)", format_count(kind.sources.size()), kind.reason,
                                  endings_text(sources, kind), sources[kind.sources.front()].path));
    }
  }
  if (more > 0) lines.push_back(fmt::format("{} more files are not shown: \"traceview info --json\" gives the reason for each", format_count(more)));
  return lines;
}

std::string nothing_read(const std::vector<SourceInfo>& sources, const std::vector<std::string>& paths) {
  const auto shown = [](const SourceInfo& source) { return !unread(source) && source.state != SourceState::Waiting; };
  const auto has_items = [](const SourceInfo& source) { return source.slices + source.instants + source.samples > 0; };
  const bool empty = std::ranges::none_of(sources, has_items);
  for (std::size_t s = 0; empty && s < sources.size(); ++s) {
    if (const std::string why = shown(sources[s]) ? why_empty(sources[s]) : std::string(); !why.empty())
      return sources[s].path + ": " + why;
  }
  if (std::ranges::any_of(sources, shown)) return {};
  if (sources.empty()) {
    return fmt::format("there are no files in {} (hidden files are not read)", fmt::join(paths, ", "));
  }
  if (sources.size() == 1) return sources[0].path + ": " + reason_of(sources[0]);
  const std::vector<UnreadKind> kinds = unread_kinds(sources);
  return fmt::format("none of the {} files could be read{}", format_count(sources.size()),
                     kinds.size() == 1 ? ": " + kinds[0].reason : std::string());
}

}  // namespace tv
