#include "core/view/words/loss_words.h"

#include "core/base/text/count_text.h"
#include "core/base/text/path_parts.h"

namespace tv {
namespace {

constexpr std::size_t kMostOfName = 32;  // letters: the status bar says other things, too

bool ends_early(const SourceInfo& source) {
  return source.problems.count(ProblemKind::truncated_record) > 0 || source.problems.count(ProblemKind::cut_off_database) > 0;
}

}  // namespace

LossWords loss_words(const Trace& trace, bool growing) {
  LossWords words;
  std::uint64_t repaired = 0, early = 0;
  for (const SourceInfo& source : trace.sources) {
    for (const ProblemCount& problem : source.problems.entries()) {
      if (info(problem.kind).severity == Severity::Warning) repaired += problem.count;
    }
    if (growing || !ends_early(source)) continue;
    const std::string_view name = last_part(source.path);
    words.early = ++early > 1                    ? format_count(early) + " files end early"
                  : name.size() <= kMostOfName ? std::string(name) + " ends early"
                                               : "1 file ends early";
  }
  const std::uint64_t lost = trace.lost();
  words.lost = format_count(lost) + " lost";
  if (repaired > 0) words.repaired = format_count(repaired) + " repaired or skipped";
  words.tone = lost > 0 ? LossWords::Tone::Lost : repaired > 0 || early > 0 ? LossWords::Tone::Doubtful : LossWords::Tone::Whole;
  return words;
}

}  // namespace tv
