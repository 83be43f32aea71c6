#include "core/view/words/loss_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text/count_text.h"
#include "core/base/text/path_parts.h"
#include "core/store/draft/unread_sources.h"

namespace tv {
namespace {

constexpr std::size_t kMostOfName = 32;  // bytes: the status bar has other texts, too

bool ends_early(const SourceInfo& source) {
  return source.problems.count(ProblemKind::truncated_record) > 0 || source.problems.count(ProblemKind::cut_off_database) > 0;
}

// "b.json ends early", "3 files end early".
std::string about_files(const std::vector<std::string_view>& paths, std::string_view one, std::string_view many) {
  if (paths.empty()) return {};
  if (paths.size() > 1) return fmt::format("{} files {}", format_count(paths.size()), many);
  const std::string_view name = last_part(paths.front());
  return fmt::format("{} {}", name.size() <= kMostOfName ? name : "1 file", one);
}

std::string sentences_of(const std::map<ProblemKind, std::uint64_t>& kinds) {
  std::vector<std::pair<ProblemKind, std::uint64_t>> order(kinds.begin(), kinds.end());
  std::ranges::stable_sort(order, std::ranges::greater(), [](const auto& each) { return each.second; });
  std::string text;
  for (const auto& [kind, count] : order) text.append(text.empty() ? "" : " ").append(info(kind).help);
  return text;
}

// Says why a log has no steps yet, or of several such logs how many there are.
std::string words_of_unfinished(const Trace& trace) {
  std::uint64_t logs = 0;
  std::string text;
  for (const SourceInfo& source : trace.sources) {
    if (source.slices == 0 || source.problems.count(ProblemKind::no_steps) == 0) continue;
    if (++logs == 1) text = why_empty(source) + ".";
  }
  return logs > 1 ? fmt::format("{} logs have no step yet.", format_count(logs)) : text;
}

}  // namespace

LossSummary loss_summary(const Trace& trace, bool growing) {
  LossSummary words;
  std::uint64_t repaired = 0;
  std::map<ProblemKind, std::uint64_t> kinds;
  std::vector<std::string_view> early, unread;
  for (const SourceInfo& source : trace.sources) {
    for (const ProblemCount& problem : source.problems.entries()) {
      if (info(problem.kind).severity != Severity::Warning) continue;
      repaired += problem.count;
      kinds[problem.kind] += problem.count;
    }
    if (source.refused) unread.push_back(source.path);
    if (!growing && ends_early(source)) early.push_back(source.path);
  }
  words.early = about_files(early, "ends early", "end early");
  words.unread = about_files(unread, "was not read", "were not read");
  const std::uint64_t lost = trace.lost();
  words.lost = format_count(lost) + " lost";
  if (repaired > 0) words.repaired = format_count(repaired) + " repaired or skipped";
  words.sentences = sentences_of(kinds);
  if (const std::string steps = words_of_unfinished(trace); !steps.empty()) words.sentences.append(words.sentences.empty() ? "" : " ").append(steps);
  const bool shows_nothing = trace.items() == 0 && trace.sample_count == 0;
  const bool doubtful = repaired > 0 || !early.empty() || !unread.empty() || shows_nothing;
  words.tone = lost > 0 ? LossSummary::Tone::Lost : doubtful ? LossSummary::Tone::Doubtful : LossSummary::Tone::Whole;
  return words;
}

}  // namespace tv
