#include "core/read/iteration_counts.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tv {
namespace {

constexpr std::int64_t kMostBetweenLines = 100'000;  // a larger difference begins another part of the log
constexpr std::int64_t kMostAtOddPlaces = 100;  // the largest difference in a log that prints at irregular places
constexpr std::ptrdiff_t kNeighbours = 3;  // on each side

class IntervalOfLines {
 public:
  explicit IntervalOfLines(std::span<const IterationLine> lines) : lines_(lines) {}

  std::int64_t count(std::size_t line) const {
    const std::int64_t since = difference(static_cast<std::ptrdiff_t>(line));
    const std::int64_t usual = usual_around(static_cast<std::ptrdiff_t>(line));
    std::int64_t count = since;
    if (since == 0) {
      count = usual <= lines_[line].iteration ? usual : 1;
    } else if (usual > 0 && since > usual && !is_regular(line, since)) {
      count = usual;
    }
    return within_stamps(line, std::max<std::int64_t>(count, 1));
  }

 private:
  // The difference to the previous line; 0 if there is no previous line, or if that line belongs to another part of the log.
  std::int64_t difference(std::ptrdiff_t line) const {
    if (line <= 0 || line >= std::ssize(lines_)) return 0;
    const auto at = static_cast<std::size_t>(line);
    const std::int64_t since = lines_[at].iteration - lines_[at - 1].iteration;
    return since > 0 && since <= kMostBetweenLines ? since : 0;
  }

  // The usual difference near a line; 0 if there is none. The most frequent difference is usual; of several equally frequent ones,
  // the smallest. If there is only one difference, it may be a multiple of the usual one, so the greatest common divisor with the
  // iteration is taken. If all differ, the smallest is usual in two cases: it is above 1 and divides all iterations nearby, or the
  // largest exceeds kMostAtOddPlaces. Otherwise the log prints at irregular places, and nothing is missing.
  std::int64_t usual_around(std::ptrdiff_t line) const {
    std::map<std::int64_t, int> times;
    std::int64_t common = 0;
    for (std::ptrdiff_t at = line - kNeighbours; at <= line + kNeighbours; ++at) {
      const std::int64_t since = difference(at);
      if (since == 0) continue;
      ++times[since];
      common = std::gcd(common, lines_[static_cast<std::size_t>(at)].iteration);
    }
    if (times.empty()) return 0;
    const auto most = std::ranges::max_element(times, {}, [](const auto& entry) { return entry.second; });
    if (most->second > 1) return most->first;
    if (times.size() == 1) return std::gcd(most->first, lines_[static_cast<std::size_t>(line)].iteration);
    const bool divides = most->first > 1 && common % most->first == 0;
    return divides || times.rbegin()->first > kMostAtOddPlaces ? most->first : 0;
  }

  bool is_regular(std::size_t line, std::int64_t since) const {
    const auto at = static_cast<std::ptrdiff_t>(line);
    return lines_[line].iteration % since == 0 && (difference(at - 1) == since || difference(at + 1) == since);
  }

  std::int64_t within_stamps(std::size_t line, std::int64_t count) const {
    constexpr Ns kStamps = 2 * kSecond;  // stamps are whole seconds
    if (line == 0 || lines_[line].stamp == kNoPlace || lines_[line - 1].stamp == kNoPlace) return count;
    const Ns between = lines_[line].stamp - lines_[line - 1].stamp;
    if (between < 0) return count;
    return std::clamp<std::int64_t>((between + between / 50 + kStamps) / lines_[line].mean, 1, count);
  }

  std::span<const IterationLine> lines_;
};

}  // namespace

std::vector<std::int64_t> iteration_counts(std::span<const IterationLine> lines) {
  const IntervalOfLines interval(lines);
  std::vector<std::int64_t> counts;
  for (std::size_t line = 0; line < lines.size(); ++line) counts.push_back(interval.count(line));
  return counts;
}

}  // namespace tv
