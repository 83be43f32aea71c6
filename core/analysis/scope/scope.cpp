#include "core/analysis/scope/scope.h"

#include <fmt/format.h>

#include "core/query/lane_set.h"

namespace tv {

std::span<const TimeRange> touching(std::span<const TimeRange> ordered, TimeRange range) {
  const auto first = std::ranges::upper_bound(ordered, range.begin, {}, &TimeRange::end);
  return {first, std::ranges::lower_bound(first, ordered.end(), range.end, {}, &TimeRange::begin)};
}

std::string words_of(const Scope& scope, std::string_view instead) {
  const std::string length = format_duration(scope.range.length());
  std::string out = scope.step.empty() ? length : fmt::format("{}, {}", scope.step, length);
  if (!instead.empty()) return fmt::format("{} of {}", out, instead);
  if (!scope.lanes.empty()) out += fmt::format(" of {} {}", scope.lanes.size(), scope.lanes.size() == 1 ? "lane" : "lanes");
  return out;
}

ScopeLanes lanes_of(const Trace& trace, const Scope& scope, const std::vector<bool>& wanted) {
  ScopeLanes out;
  out.in.assign(trace.lanes.size(), false);
  bool any = false;
  for (const LaneId lane : resolve_lanes(trace, scope.lanes)) {
    out.in[idx(lane)] = true;
    any |= wanted[idx(lane)];
  }
  if (any || scope.lanes.empty()) return out;
  out.in.assign(trace.lanes.size(), true);
  out.lanes_count = false;
  return out;
}

}  // namespace tv
