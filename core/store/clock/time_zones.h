// Finds the time zone of logs whose timestamps are local time without a zone: verl's rollouts and Megatron's console. Traces of
// PyTorch, reports of Nsight Systems and Paddle's logs are UTC. A zone's offset is a multiple of 15 minutes, so a time known to
// the minute is enough to find it. The evidence is one of:
//
//   user         the user moved the log by at least 7.5 minutes (clock_offset.h)
//   reports      Nsight Systems records the UTC and the local time of its host; used if the log then overlaps the report
//   processes    a Megatron log names the process of a trace and says when it was profiled: only one zone puts the trace there
//   steps        a training log, which has no times, joins rollouts with traces or marked steps of known time (step_alignment.h)
//   nearby logs  the hosts of one run are in one zone: local times are within 10 minutes of those of a log whose zone is known,
//                and of no log with another zone. So a zone spreads along a chain of logs
//
// Without evidence, the timestamps are taken as UTC, and the import report says so; if traces are open, it also says which offset
// to set. An offset holds for a whole log: a change to summer time within it is not seen. The offset goes into
// SourceView::clock_base, and the evidence into SourceInfo::clock_fit. A view whose zones are known already is left unchanged.
// Cost: O(instants + steps of logs), and O(n log n) for n logs, files with known times and processes of logs, times the number of
// zones (105).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/clock/known_times.h"
#include "core/store/draft/source_draft.h"

namespace tv {

class TimeZones {
 public:
  /// Finds and applies all zones that can be found without joining steps. `known`: all files with known times.
  TimeZones(std::vector<SourceView>& views, const std::vector<TimedFile>& known);

  /// Whether the zone of the rollouts in this folder is still unknown.
  bool lacks_zone(std::string_view folder) const;
  /// Applies a zone that was found by joining steps to the rollouts in this folder. False if their zone was known already, or
  /// keep_local() was called.
  bool set_zone(std::string_view folder, Ns east, const std::string& evidence);
  /// Keeps the rollouts in this folder in local time, because steps were placed by it.
  void keep_local(std::string_view folder);
  /// Searches nearby logs once more. Then reports for all logs without a zone that it is unknown.
  void finish();

 private:
  // Sources that share a clock: the rollouts of a folder, or one log.
  struct LocalClock {
    std::string folder;         // of rollouts; empty for a log
    std::string name, pattern;  // pattern: for --clock
    std::vector<SourceView*> views;
    RecordedRange extent;  // local time, taken as UTC
    bool kept_local = false;
    std::optional<Ns> east;  // the zone: how far local time is ahead of UTC; none: unknown
  };

  void list_clocks(std::vector<SourceView>& views);
  void by_user(LocalClock& clock);
  void by_reports();
  void by_processes();
  void by_nearby_logs();
  void spread_zones(const std::vector<LocalClock*>& clocks);
  void apply(LocalClock& clock, Ns east, const std::string& evidence);
  LocalClock* first_clock_of(std::string_view folder);  // null: there is none

  std::vector<LocalClock> clocks_;
  // By LocalClock::folder: indices. A named folder has one clock.
  std::map<std::string, std::vector<std::size_t>, std::less<>> clocks_of_folder_;
  std::vector<TimedFile> utc_;  // files with known times
};

}  // namespace tv
