#include "core/query/bounded/covered_time.h"

#include <algorithm>
#include <limits>

namespace tv {

Ns covered_time(std::span<TimeRange> spans) {
  const auto earlier = [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; };
  if (!std::is_sorted(spans.begin(), spans.end(), earlier)) std::sort(spans.begin(), spans.end(), earlier);
  Ns sum = 0, covered_until = std::numeric_limits<Ns>::min();
  for (const TimeRange& span : spans) {
    const Ns from = std::max(span.begin, covered_until);
    if (span.end > from) sum += span.end - from;
    covered_until = std::max(covered_until, span.end);
  }
  return sum;
}

}  // namespace tv
