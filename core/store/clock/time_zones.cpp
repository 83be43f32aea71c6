#include "core/store/clock/time_zones.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <ranges>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/store/clock/clock_offset.h"

namespace tv {
namespace {

// Logs count as near each other if the gap between their local times is at most this.
constexpr Ns kMostGap = 10LL * 60 * kSecond;

RecordedRange widened(RecordedRange range, Ns by) { return {range.begin - by, range.end + by}; }

// Ranges sorted by begin. Each end is replaced by the latest end so far, so O(log n) suffices to find whether any of them touches
// or contains another range.
class RangesByBegin {
 public:
  explicit RangesByBegin(std::vector<RecordedRange> ranges) : ranges_(std::move(ranges)) {
    std::ranges::sort(ranges_, {}, &RecordedRange::begin);
    for (std::size_t r = 1; r < ranges_.size(); ++r) ranges_[r].end = std::max(ranges_[r].end, ranges_[r - 1].end);
  }
  bool empty() const { return ranges_.empty(); }
  bool any_touches(RecordedRange range) const {
    const auto later = std::ranges::upper_bound(ranges_, range.end, {}, &RecordedRange::begin);
    return later != ranges_.begin() && std::prev(later)->end >= range.begin;
  }
  /// Whether each of `inner`, moved by `by`, lies in one of the ranges. Begins and ends of `inner` both ascend. So of those that
  /// begin between two begins of ranges, the last one decides.
  bool contain(const std::vector<RecordedRange>& inner, Ns by) const {
    for (auto at = inner.begin(); at != inner.end();) {
      const auto later = std::ranges::upper_bound(ranges_, at->begin + by, {}, &RecordedRange::begin);
      if (later == ranges_.begin()) return false;
      at = later == ranges_.end() ? inner.end()
                                  : std::ranges::lower_bound(at, inner.end(), later->begin - by, {}, &RecordedRange::begin);
      if (std::prev(at)->end + by > std::prev(later)->end) return false;
    }
    return true;
  }

 private:
  std::vector<RecordedRange> ranges_;
};

// The times in which processes were profiled. Each prints "Warm Up" before its first event and "Collection" after its last.
std::vector<FileRange> profiled_times(const MetricLog& log) {
  std::vector<FileRange> out;
  Ns begin = kNoPlace;
  for (const StepMark& mark : log.marks) {
    if (mark.time == kNoPlace) continue;
    const std::string_view name = log.name(mark.name);
    if (name.ends_with("Warm Up")) begin = mark.time;
    if (name.ends_with("Collection") && begin != kNoPlace && mark.time >= begin) out.push_back(FileRange::of({begin, mark.time}));
  }
  return out;
}

// Removes ranges that lie within another one. Then begins and ends both ascend.
std::vector<RecordedRange> without_inner(std::vector<RecordedRange> ranges) {
  std::ranges::sort(ranges, [](const RecordedRange& a, const RecordedRange& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<RecordedRange> outer;
  for (const RecordedRange& range : ranges) {
    if (outer.empty() || range.end > outer.back().end) outer.push_back(range);
  }
  return outer;
}

struct ProcessTraces {
  std::vector<RecordedRange> extents;  // without those that lie within another one: what contains the other one contains them, too
  const TimedFile* last = nullptr;
};

std::map<std::int64_t, ProcessTraces> traces_by_process(const std::vector<TimedFile>& files) {
  std::map<std::int64_t, ProcessTraces> traces;
  for (const TimedFile& file : files) {
    if (!file.pid) continue;
    ProcessTraces& process = traces[*file.pid];
    process.extents.push_back(file.extent);
    process.last = &file;
  }
  for (auto& [pid, process] : traces) process.extents = without_inner(std::move(process.extents));
  return traces;
}

struct ShownZone {
  Ns east = 0;
  std::string evidence;
};

// The only zone in which the traces of all processes that the log names lie within its times. `extent`: of the log.
std::optional<ShownZone> zone_by_processes(const SourceView& view, RecordedRange extent,
                                           const std::map<std::int64_t, ProcessTraces>& traces) {
  constexpr Ns kTolerance = 2 * kSecond;  // timestamps have whole seconds and are printed late
  std::vector<RecordedRange> windows;
  for (const FileRange& profiled : profiled_times(*view.metrics)) windows.push_back(view.to_recorded()(profiled));
  const bool has_stages = !windows.empty();
  if (!has_stages) windows = {extent};
  for (RecordedRange& window : windows) window = widened(window, kTolerance);
  const RangesByBegin times(std::move(windows));
  std::vector<Ns> zones;
  for (Ns east = kWestmostZone; east <= kEastmostZone; east += kZoneStep) zones.push_back(east);
  const TimedFile* trace = nullptr;  // the last trace, to be named in the evidence
  for (const LogProcess& process : view.metrics->processes) {
    const auto named = traces.find(process.pid);
    if (named == traces.end()) continue;
    std::erase_if(zones, [&](Ns east) { return !times.contain(named->second.extents, east); });
    if (!trace || trace < named->second.last) trace = named->second.last;
  }
  if (!trace || zones.size() != 1) return std::nullopt;
  return ShownZone{zones.front(),
                   fmt::format("the log names process {}, and the trace of that process ({}) then lies {}", *trace->pid,
                               last_part(trace->path),
                               has_stages ? "between \"Warm Up\" and \"Collection\"" : "within the times of the log")};
}

// Counts the ranges that are near a given one.
class RangeCount {
 public:
  void add(RecordedRange range) {
    begins_.push_back(range.begin);
    ends_.push_back(range.end);
  }
  /// To be called after add() and before near().
  void sort() {
    std::ranges::sort(begins_);
    std::ranges::sort(ends_);
  }
  std::size_t near(RecordedRange range) const {
    const auto earlier = std::ranges::lower_bound(ends_, range.begin - kMostGap) - ends_.begin();
    const auto later = begins_.end() - std::ranges::upper_bound(begins_, range.end + kMostGap);
    return begins_.size() - static_cast<std::size_t>(earlier + later);
  }

 private:
  std::vector<RecordedTime> begins_, ends_;
};

// Ranges sorted by begin, each of which is taken once: by the first range with at most a given gap to it. A binary tree over them
// has the latest end in each subtree. Taking one costs O(log n), and so does finding none.
class RemainingRanges {
 public:
  RemainingRanges(std::vector<RecordedRange> ranges, Ns most_gap)
      : ranges_(std::move(ranges)), most_gap_(most_gap), leaves_(std::bit_ceil(ranges_.size())), latest_end_(2 * leaves_, kTaken) {
    for (std::size_t r = 0; r < ranges_.size(); ++r) latest_end_[leaves_ + r] = ranges_[r].end;
    for (std::size_t node = leaves_; node-- > 1;) update(node);
  }
  /// Removes the ranges near this one, and calls visit(index) for each.
  template <class Visit>
  void take_near(RecordedRange range, const Visit& visit) {
    take_near(1, 0, leaves_, range, visit);
  }

 private:
  static constexpr RecordedTime kTaken{std::numeric_limits<Ns>::min()};

  void update(std::size_t node) { latest_end_[node] = std::max(latest_end_[2 * node], latest_end_[2 * node + 1]); }

  template <class Visit>
  void take_near(std::size_t node, std::size_t first, std::size_t count, RecordedRange range, const Visit& visit) {
    if (first >= ranges_.size() || ranges_[first].begin > range.end + most_gap_) return;
    if (latest_end_[node] < range.begin - most_gap_) return;
    if (count == 1) {
      latest_end_[node] = kTaken;
      visit(first);
      return;
    }
    take_near(2 * node, first, count / 2, range, visit);
    take_near(2 * node + 1, first + count / 2, count / 2, range, visit);
    update(node);
  }

  std::vector<RecordedRange> ranges_;
  Ns most_gap_;
  std::size_t leaves_;
  std::vector<RecordedTime> latest_end_;  // by node; the children of node n are 2 n and 2 n + 1
};

// Suggests offsets that would move the log next to the open traces: whole hours, or quarters of an hour if no whole hour fits.
std::string suggested_offsets(RecordedRange extent, const std::string& pattern, const RangesByBegin& traces) {
  constexpr std::size_t kMost = 3;
  constexpr Ns kHour = 4 * kZoneStep;
  if (traces.empty() || extent == RecordedRange{}) return {};
  std::vector<Ns> zones;
  const auto is_near = [&](Ns east) { return traces.any_touches(widened(extent + -east, kMostGap / 2)); };
  for (const Ns step : {kHour, kZoneStep}) {
    for (Ns east = kWestmostZone; zones.empty() && east <= kEastmostZone; east += step) {
      if (!is_near(east)) continue;
      for (Ns more = east; more <= kEastmostZone && zones.size() < kMost; more += step) {
        if (is_near(more)) zones.push_back(more);
      }
    }
  }
  if (zones.empty()) return "; no time zone would place it next to the open traces";
  std::string text;
  for (const Ns east : zones) {
    text += fmt::format("{}{}", text.empty() ? "; it would lie beside the traces " : ", or ",
                        east == 0 ? "as it is"
                                  : fmt::format("with --clock '{}={}' ({})", pattern, format_clock_offset(-east),
                                                zone_name(east)));
  }
  return text;
}

}  // namespace

TimeZones::TimeZones(std::vector<SourceView>& views, const std::vector<TimedFile>& known) {
  if (std::ranges::none_of(views, [](const SourceView& view) { return view.info.local_time; })) return;
  std::ranges::copy_if(known, std::back_inserter(utc_), [](const TimedFile& file) { return file.extent != RecordedRange{}; });
  list_clocks(views);
  for (LocalClock& clock : clocks_) by_user(clock);
  by_reports();
  by_processes();
  by_nearby_logs();
}

void TimeZones::list_clocks(std::vector<SourceView>& views) {
  for (SourceView& view : views) {
    if (!view.info.local_time || was_measured(view.info)) continue;
    const FileRange extent = extent_in_file(view);
    const std::string_view folder = view.rollout ? rollout_run_folder(view.info.path) : std::string_view();
    std::vector<std::size_t>& of_folder = clocks_of_folder_[std::string(folder)];
    if (folder.empty() || of_folder.empty()) {
      of_folder.push_back(clocks_.size());
      const std::string name(last_part(folder.empty() ? std::string_view(view.info.path) : folder));
      clocks_.push_back({std::string(folder), name, folder.empty() ? name : name + "/*", {}, {}, false, {}});
    }
    LocalClock& clock = clocks_[of_folder.back()];
    clock.views.push_back(&view);
    if (extent == FileRange{}) continue;
    const RecordedRange recorded = view.to_recorded()(extent);
    if (clock.extent == RecordedRange{}) clock.extent = recorded;
    clock.extent.include(recorded);
  }
}

void TimeZones::by_user(LocalClock& clock) {
  const Ns offset = clock.views.front()->info.clock_offset;
  if (std::abs(offset) < kZoneStep / 2) return;  // too small for a zone: the user has corrected the clock of a host
  clock.east = 0;
  for (SourceView* const view : clock.views) {
    ClockFit& fit = view->info.clock_fit;
    fit.evidence = ClockEvidence::Zone;
    fit.unit = kFirstLocalUnit + static_cast<std::uint32_t>(&clock - clocks_.data());
    fit.name = clock.name;
    fit.text = fmt::format("local time, moved by hand by {}", format_clock_offset(offset));
  }
}

// A report shows its zone for each log that, moved by this zone, overlaps the report. Several reports of a zone count once: the
// last one takes its logs first, and is named in the evidence.
void TimeZones::by_reports() {
  std::map<Ns, std::vector<const TimedFile*>> reports;  // by zone
  for (const TimedFile& source : utc_) {
    if (source.zone_east) reports[*source.zone_east].push_back(&source);
  }
  std::vector<LocalClock*> unknown;
  for (LocalClock& clock : clocks_) {
    if (!clock.east) unknown.push_back(&clock);
  }
  std::ranges::stable_sort(unknown, {}, [](const LocalClock* clock) { return clock->extent.begin; });
  struct Found {
    std::size_t zones = 0;
    const TimedFile* report = nullptr;
  };
  std::vector<Found> found(unknown.size());
  for (const auto& [east, of_zone] : reports) {
    std::vector<RecordedRange> extents;
    for (const LocalClock* const clock : unknown) extents.push_back(clock->extent + -east);
    RemainingRanges remaining(std::move(extents), 0);
    for (std::size_t r = of_zone.size(); r-- > 0;) {
      const TimedFile* const report = of_zone[r];
      remaining.take_near(report->extent, [&](std::size_t taken) { found[taken] = {found[taken].zones + 1, report}; });
    }
  }
  for (std::size_t c = 0; c < unknown.size(); ++c) {
    const TimedFile* const report = found[c].report;
    if (found[c].zones != 1) continue;
    apply(*unknown[c], *report->zone_east, fmt::format("{} has the local time of its host", last_part(report->path)));
  }
}

void TimeZones::by_processes() {
  const std::map<std::int64_t, ProcessTraces> traces = traces_by_process(utc_);
  for (LocalClock& clock : clocks_) {
    const SourceView& view = *clock.views.front();
    if (clock.east || !view.metrics) continue;
    if (const auto shown = zone_by_processes(view, clock.extent, traces)) apply(clock, shown->east, shown->evidence);
  }
}

// Clocks that the user moved by different offsets are not compared.
void TimeZones::by_nearby_logs() {
  std::map<Ns, std::vector<LocalClock*>> by_offset;
  for (LocalClock& clock : clocks_) {
    if (clock.extent == RecordedRange{} || (clock.kept_local && !clock.east)) continue;
    by_offset[clock.views.front()->info.clock_offset].push_back(&clock);
  }
  for (const auto& [offset, clocks] : by_offset) spread_zones(clocks);
}

// Zones spread from log to log in rounds, so that the result does not depend on the order of files. In each round, a log gets the
// zone of the logs near it that got theirs in the previous round, if these have the same zone. A log takes part in at most one
// round without a zone, and in one with a new zone, so all rounds together cost O(n log n).
void TimeZones::spread_zones(const std::vector<LocalClock*>& clocks) {
  std::vector<LocalClock*> known, unknown;
  for (LocalClock* const clock : clocks) (clock->east ? known : unknown).push_back(clock);
  std::ranges::stable_sort(unknown, {}, [](const LocalClock* clock) { return clock->extent.begin; });
  std::vector<RecordedRange> extents;
  for (const LocalClock* const clock : unknown) extents.push_back(clock->extent);
  RemainingRanges remaining(std::move(extents), kMostGap);
  while (!known.empty()) {
    RangeCount all;
    std::map<Ns, RangeCount> by_zone;
    for (const LocalClock* const clock : known) {
      all.add(clock->extent);
      by_zone[*clock->east].add(clock->extent);
    }
    all.sort();
    for (auto& [east, count] : by_zone) count.sort();
    std::vector<std::pair<LocalClock*, const LocalClock*>> found;  // each log with one near it
    for (auto nearby = known.rbegin(); nearby != known.rend(); ++nearby) {
      const RangeCount& of_zone = by_zone.at(*(*nearby)->east);
      remaining.take_near((*nearby)->extent, [&](std::size_t taken) {
        const RecordedRange extent = unknown[taken]->extent;
        const bool one_zone = of_zone.near(extent) == all.near(extent);
        if (one_zone) found.emplace_back(unknown[taken], *nearby);
      });
    }
    known.clear();
    for (const auto& [clock, nearby] : found) {
      apply(*clock, *nearby->east, fmt::format("its local times are within 10 minutes of those of {}", nearby->name));
      known.push_back(clock);
    }
  }
}

bool TimeZones::lacks_zone(std::string_view folder) const {
  const auto found = clocks_of_folder_.find(folder);
  return found != clocks_of_folder_.end() && std::ranges::any_of(found->second, [&](std::size_t c) { return !clocks_[c].east; });
}

TimeZones::LocalClock* TimeZones::first_clock_of(std::string_view folder) {
  const auto found = clocks_of_folder_.find(folder);
  return found == clocks_of_folder_.end() ? nullptr : &clocks_[found->second.front()];
}

bool TimeZones::set_zone(std::string_view folder, Ns east, const std::string& evidence) {
  LocalClock* const clock = first_clock_of(folder);
  if (!clock || clock->east || clock->kept_local) return false;
  apply(*clock, east, evidence);
  return true;
}

void TimeZones::keep_local(std::string_view folder) {
  if (LocalClock* const clock = first_clock_of(folder)) clock->kept_local = true;
}

void TimeZones::apply(LocalClock& clock, Ns east, const std::string& evidence) {
  clock.east = east;
  for (SourceView* const view : clock.views) {
    view->clock_base += -east;
    ClockFit& fit = view->info.clock_fit;
    fit.evidence = ClockEvidence::Zone;
    fit.unit = kFirstLocalUnit + static_cast<std::uint32_t>(&clock - clocks_.data());
    fit.name = clock.name;
    fit.found = fit.offset = -east;
    fit.text = fmt::format("local time in {}, moved by {}: {}", zone_name(east), format_clock_offset(-east), evidence);
  }
}

void TimeZones::finish() {
  by_nearby_logs();
  std::vector<RecordedRange> extents;
  for (const TimedFile& source : utc_) extents.push_back(source.extent);
  const RangesByBegin traces(std::move(extents));
  for (LocalClock& clock : clocks_) {
    if (clock.east) continue;
    const std::string text = "local time, zone unknown: taken as UTC" + suggested_offsets(clock.extent, clock.pattern, traces);
    for (SourceView* const view : clock.views) {
      ClockFit& fit = view->info.clock_fit;
      fit.evidence = ClockEvidence::NoZone;
      fit.unit = kFirstLocalUnit + static_cast<std::uint32_t>(&clock - clocks_.data());
      fit.name = clock.name;
      fit.text = text;
    }
  }
}

}  // namespace tv
