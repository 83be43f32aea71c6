#include "core/view/words/sums_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text/count_text.h"

namespace tv {
namespace {

std::string times_text(const SliceSums& sums) {
  const std::uint64_t timed = sums.count - sums.unfinished;
  if (timed == 0) return "none of them ended";
  return fmt::format(
      "{} in all, {} on average, the longest {}{}", format_duration(sums.total),
      format_duration(sums.total / static_cast<Ns>(timed)), format_duration(sums.longest),
      sums.unfinished > 0 ? fmt::format("; {} never ended", format_count(sums.unfinished)) : std::string());
}

}  // namespace

std::string same_name_text(const SliceSums& sums) {
  const std::string instants = count_text(sums.instants, "instant");
  if (sums.count == 0) return instants + " of this name";
  return fmt::format("{} of this name: {}{}", format_count(sums.count), times_text(sums),
                     sums.instants > 0 ? "; also " + instants : std::string());
}

std::vector<std::string> stretch_texts(const Trace& trace, const SliceStretch& stretch, const SliceSums& sums) {
  std::vector<std::string> lines = {fmt::format("{} of this lane: {}", count_text(sums.count, "slice"), times_text(sums))};
  if (sums.count < 2) return lines;
  lines.push_back(fmt::format("the last begins {} after the first; {} from the first begin to the last end",
                              format_exact(begins_of(trace, stretch).length()), format_exact(sums.covered.length())));
  lines.push_back(sums.gaps == 0 ? "no gap between them"
                                 : fmt::format("{} between them: {} in all, the longest {}", count_text(sums.gaps, "gap"),
                                               format_duration(sums.idle), format_duration(sums.longest_gap)));
  return lines;
}

}  // namespace tv
