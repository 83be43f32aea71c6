#include "core/store/clock/view_clock.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "core/store/logs/table_bytes.h"

namespace tv {
namespace {

using Recorded = std::vector<std::vector<RecordedSource>>;

// To the common clock, if the segment moves by `to_wall`.
ClockShift<BuiltTime, CommonTime> to_common(const ClockedSource& source, Ns to_wall = 0) {
  return {source.manual_offset + source.fitted + to_wall};
}

std::optional<CommonTime> wall_begin(const std::vector<ClockedSegment>& segments) {
  std::optional<CommonTime> begin;
  for (const ClockedSegment& segment : segments) {
    for (const ClockedSource& source : segment) {
      if (!source.wall_clock) continue;
      const CommonTime begins = to_common(source)(source.extent.begin);
      begin = std::min(begin.value_or(begins), begins);
    }
  }
  return begin;
}

// The shift to the begin of the wall-clock sources, for a source with another clock.
Ns to_wall(const ClockedSource& source, std::optional<CommonTime> begin) {
  return begin && !source.wall_clock ? begin->ns - source.extent.begin.ns : 0;
}

// The common shift of a segment: that of its earliest source; 0 if any source has the wall clock.
Ns to_wall_together(const ClockedSegment& segment, std::optional<CommonTime> begin) {
  Ns most = std::numeric_limits<Ns>::min();
  for (const ClockedSource& source : segment) {
    if (source.wall_clock) return 0;
    most = std::max(most, to_wall(source, begin));
  }
  return most;
}

// Segments of one process keep their mutual offsets: they get the shift of the earliest one.
void move_processes_together(const std::vector<ClockedSegment>& segments, std::vector<ViewClock::Shift>& shift) {
  const auto process_of = [&](std::size_t s) { return segments[s].size() == 1 ? std::string_view(segments[s].front().process) : ""; };
  std::map<std::string_view, Ns> most;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    if (process_of(s).empty() || segments[s].front().wall_clock) continue;
    Ns& of_process = most.try_emplace(process_of(s), shift[s].to_wall).first->second;
    of_process = std::max(of_process, shift[s].to_wall);
  }
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const auto found = most.find(process_of(s));
    if (found != most.end() && !segments[s].front().wall_clock) shift[s].to_wall = found->second;
  }
}

// Whether no time is too large for exact arithmetic, and the times are not too far apart.
bool can_count_all(const std::vector<ClockedSegment>& segments, const std::vector<ViewClock::Shift>& shift) {
  Ns first = kFarthestTime, last = -kFarthestTime;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    for (const ClockedSource& source : segments[s]) {
      Ns by = 0, begin = 0, end = 0;
      const bool far = __builtin_add_overflow(to_common(source).by, shift[s].to_wall, &by) ||
                       __builtin_add_overflow(source.extent.begin.ns, by, &begin) ||
                       __builtin_add_overflow(source.extent.end.ns, by, &end);
      if (far || !can_count_with(begin) || !can_count_with(end)) return false;
      first = std::min(first, begin);
      last = std::max(last, end);
    }
  }
  return first > last || can_count_with(last - first);
}

// The sources at their shifted times, which must be small enough for exact arithmetic (can_count_all).
Recorded recorded(const std::vector<ClockedSegment>& segments, const std::vector<ViewClock::Shift>& shift) {
  Recorded all;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    auto& of_segment = all.emplace_back();
    for (const ClockedSource& source : segments[s]) {
      const auto common = to_common(source, shift[s].to_wall);
      of_segment.push_back({common(source.extent), common(source.work), source.run, source.process});
    }
  }
  return all;
}

// Whether all times, counted from the earliest, are small enough for exact arithmetic.
bool within_reach(const Recorded& segments, const std::vector<RunShift>& shift) {
  Ns first = std::numeric_limits<Ns>::max(), last = std::numeric_limits<Ns>::min();
  for (std::size_t s = 0; s < segments.size(); ++s) {
    for (const RecordedSource& source : segments[s]) {
      Ns begin = 0, end = 0;
      if (__builtin_add_overflow(source.extent.begin.ns, shift[s].by, &begin) ||
          __builtin_add_overflow(source.extent.end.ns, shift[s].by, &end)) {
        return false;
      }
      first = std::min(first, begin);
      last = std::max(last, end);
    }
  }
  Ns length = 0;
  return first > last || (!__builtin_sub_overflow(last, first, &length) && can_count_with(length));
}

}  // namespace

ViewClock view_clock(const std::vector<ClockedSegment>& segments, AlignChoice align) {
  ViewClock clock;
  const std::vector<ViewClock::Shift> unmoved(segments.size());
  clock.of_segment = unmoved;
  if (!can_count_all(segments, unmoved)) return clock;
  const std::optional<CommonTime> begin = wall_begin(segments);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    if (!segments[s].empty()) clock.of_segment[s].to_wall = to_wall_together(segments[s], begin);
  }
  move_processes_together(segments, clock.of_segment);
  if (!can_count_all(segments, clock.of_segment)) {
    clock.of_segment = unmoved;
    return clock;
  }
  const Recorded placed = recorded(segments, clock.of_segment);
  const std::vector<RunShift> aligned = align_groups(placed, align);
  if (!within_reach(placed, aligned)) return clock;
  for (std::size_t s = 0; s < segments.size(); ++s) clock.of_segment[s].aligned = aligned[s];
  if (std::ranges::any_of(aligned, [](RunShift by) { return by != RunShift{}; })) clock.align = align.value_or(Align::Fold);
  return clock;
}

}  // namespace tv
