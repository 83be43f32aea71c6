#include "core/store/clock/time_zones.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <set>

#include "core/base/text/path_parts.h"
#include "core/store/clock/clock_offset.h"

namespace tv {
namespace {

// Local times of logs of one run are at most this far apart.
constexpr Ns kBeside = 10LL * 60 * kSecond;

bool touch(TimeRange a, TimeRange b, Ns within) { return a.begin <= b.end + within && b.begin <= a.end + within; }
TimeRange moved_by(TimeRange range, Ns by) { return {range.begin + by, range.end + by}; }

// "Warm Up" and "Collection" are printed by each process that is profiled, before its first and after its last event.
std::vector<TimeRange> profiled(const MetricLog& log) {
  std::vector<TimeRange> out;
  Ns begun = kNoPlace;
  for (const StepMark& mark : log.marks) {
    if (mark.time == kNoPlace) continue;
    const std::string_view name = log.name(mark.name);
    if (name.ends_with("Warm Up")) begun = mark.time;
    if (name.ends_with("Collection") && begun != kNoPlace && mark.time >= begun) out.push_back({begun, mark.time});
  }
  return out;
}

}  // namespace

TimeZones::TimeZones(std::vector<SourceView>& views, const std::vector<TimedFile>& known) {
  if (std::ranges::none_of(views, [](const SourceView& view) { return view.info.local_time; })) return;
  std::ranges::copy_if(known, std::back_inserter(utc_), [](const TimedFile& file) { return file.extent != TimeRange{}; });
  list_clocks(views);
  for (LocalClock& clock : clocks_) {
    by_user(clock);
    if (!clock.east) by_reports(clock);
    if (!clock.east) by_processes(clock);
  }
  by_others();
}

void TimeZones::list_clocks(std::vector<SourceView>& views) {
  for (SourceView& view : views) {
    if (!view.info.local_time || was_measured(view.info)) continue;
    const TimeRange extent = recorded_extent(view);
    const std::string_view folder = view.rollout ? rollout_run_folder(view.info.path) : std::string_view();
    auto clock =
        std::ranges::find_if(clocks_, [&](const LocalClock& c) { return !folder.empty() && c.folder == folder; });
    if (clock == clocks_.end()) {
      const std::string name(last_part(folder.empty() ? std::string_view(view.info.path) : folder));
      clocks_.push_back({std::string(folder), name, folder.empty() ? name : name + "/*", {}, {}, false, {}});
      clock = clocks_.end() - 1;
    }
    clock->views.push_back(&view);
    if (extent == TimeRange{}) continue;
    const TimeRange placed = moved_by(extent, view.clock_base + view.info.clock_offset);
    if (clock->extent == TimeRange{}) clock->extent = placed;
    clock->extent.include(placed.begin, placed.end);
  }
}

void TimeZones::by_user(LocalClock& clock) {
  const Ns offset = clock.views.front()->info.clock_offset;
  if (std::abs(offset) < kZoneStep / 2) return;  // a small correction of a host's clock, not a zone
  clock.east = 0;
  for (SourceView* const view : clock.views) {
    ClockFit& fit = view->info.clock_fit;
    fit.evidence = ClockEvidence::Zone;
    fit.unit = kFirstLocalUnit + static_cast<std::uint32_t>(&clock - clocks_.data());
    fit.name = clock.name;
    fit.text = fmt::format("local time, moved by hand by {}", format_clock_offset(offset));
  }
}

void TimeZones::by_reports(LocalClock& clock) {
  std::set<Ns> zones;
  const TimedFile* told = nullptr;
  for (const TimedFile& source : utc_) {
    const std::optional<Ns> east = source.zone_east;
    if (!east || !touch(moved_by(clock.extent, -*east), source.extent, 0)) continue;
    zones.insert(*east);
    told = &source;
  }
  if (zones.size() != 1) return;
  apply(clock, *zones.begin(), fmt::format("{} has the local time of its host", last_part(told->path)));
}

void TimeZones::by_processes(LocalClock& clock) {
  const std::shared_ptr<const MetricLog>& log = clock.views.front()->metrics;
  if (!log) return;
  constexpr Ns kStamps = 2 * kSecond;  // tolerance: timestamps have whole seconds and are printed late
  std::vector<TimeRange> windows = profiled(*log);
  const bool by_stages = !windows.empty();
  const Ns base = clock.views.front()->clock_base + clock.views.front()->info.clock_offset;
  for (TimeRange& window : windows) window = moved_by(window, base);
  if (windows.empty()) windows = {clock.extent};
  std::optional<std::set<Ns>> zones;
  const TimedFile* told = nullptr;
  for (const TimedFile& source : utc_) {
    const auto pid = source.pid;
    if (!pid || std::ranges::find(log->processes, *pid, &LogProcess::pid) == log->processes.end()) continue;
    std::set<Ns> fitting;
    for (Ns east = kWestmostZone; east <= kEastmostZone; east += kZoneStep) {
      const TimeRange local = moved_by(source.extent, east);
      const bool fits = std::ranges::any_of(windows, [&](const TimeRange& window) {
        return local.begin >= window.begin - kStamps && local.end <= window.end + kStamps;
      });
      if (fits && (!zones || zones->contains(east))) fitting.insert(east);
    }
    zones = std::move(fitting);
    told = &source;
  }
  if (!zones || zones->size() != 1) return;
  apply(clock, *zones->begin(),
        fmt::format("it names process {}, whose trace {} then lies {}", *told->pid,
                    last_part(told->path),
                    by_stages ? "between \"Warm Up\" and \"Collection\"" : "in its time"));
}

void TimeZones::by_others() {
  for (LocalClock& clock : clocks_) {
    if (clock.east || clock.kept || clock.extent == TimeRange{}) continue;
    const LocalClock* like = nullptr;
    bool differ = false;
    for (const LocalClock& other : clocks_) {
      if (!other.east || other.views.front()->info.clock_offset != clock.views.front()->info.clock_offset ||
          !touch(clock.extent, other.extent, kBeside)) {
        continue;
      }
      differ |= like && like->east != other.east;
      like = &other;
    }
    if (like && !differ) apply(clock, *like->east, fmt::format("its local times are beside those of {}", like->name));
  }
}

bool TimeZones::is_open(std::string_view folder) const {
  return std::ranges::any_of(clocks_, [&](const LocalClock& clock) { return clock.folder == folder && !clock.east; });
}

bool TimeZones::tell(std::string_view folder, Ns east, const std::string& evidence) {
  const auto clock = std::ranges::find(clocks_, folder, &LocalClock::folder);
  if (clock == clocks_.end() || clock->east || clock->kept) return false;
  apply(*clock, east, evidence);
  return true;
}

void TimeZones::keep(std::string_view folder) {
  const auto clock = std::ranges::find(clocks_, folder, &LocalClock::folder);
  if (clock != clocks_.end()) clock->kept = true;
}

void TimeZones::apply(LocalClock& clock, Ns east, const std::string& evidence) {
  clock.east = east;
  for (SourceView* const view : clock.views) {
    view->clock_base -= east;
    ClockFit& fit = view->info.clock_fit;
    fit.evidence = ClockEvidence::Zone;
    fit.unit = kFirstLocalUnit + static_cast<std::uint32_t>(&clock - clocks_.data());
    fit.name = clock.name;
    fit.found = fit.offset = -east;
    fit.text = fmt::format("local time in {}, moved by {}: {}", zone_name(east), format_clock_offset(-east), evidence);
  }
}

void TimeZones::finish() {
  by_others();
  for (LocalClock& clock : clocks_) {
    if (clock.east) continue;
    const std::string text = "local time, zone unknown: taken as UTC" + offer(clock);
    for (SourceView* const view : clock.views) {
      ClockFit& fit = view->info.clock_fit;
      fit.evidence = ClockEvidence::NoZone;
      fit.unit = kFirstLocalUnit + static_cast<std::uint32_t>(&clock - clocks_.data());
      fit.name = clock.name;
      fit.text = text;
    }
  }
}

// Suggests whole hours that would move the log next to the open files.
std::string TimeZones::offer(const LocalClock& clock) const {
  constexpr std::size_t kMost = 3;
  constexpr Ns kHour = 4 * kZoneStep;
  if (utc_.empty() || clock.extent == TimeRange{}) return {};
  std::vector<Ns> zones;
  const auto lies_beside = [&](Ns east) {
    return std::ranges::any_of(utc_, [&](const TimedFile& source) {
      return touch(moved_by(clock.extent, -east), source.extent, kBeside / 2);
    });
  };
  for (const Ns step : {kHour, kZoneStep}) {
    for (Ns east = kWestmostZone; zones.empty() && east <= kEastmostZone; east += step) {
      if (!lies_beside(east)) continue;
      for (Ns more = east; more <= kEastmostZone && zones.size() < kMost; more += step) {
        if (lies_beside(more)) zones.push_back(more);
      }
    }
  }
  if (zones.empty()) return "; no time zone would place it next to the open traces";
  std::string text;
  for (const Ns east : zones) {
    text += fmt::format("{}{}", text.empty() ? "; it would lie beside the traces " : ", or ",
                        east == 0 ? "as it is"
                                  : fmt::format("with --clock '{}={}' ({})", clock.pattern, format_clock_offset(-east),
                                                zone_name(east)));
  }
  return text;
}

}  // namespace tv
