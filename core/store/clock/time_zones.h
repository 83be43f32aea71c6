// Finds the zone of logs with timestamps in local time without a zone: verl's rollouts and Megatron's console. Traces of PyTorch,
// reports of Nsight Systems and Paddle's logs are UTC. A zone's offset is a multiple of 15 minutes, so a time known to the minute
// is enough to find it:
//
//   user       the user moved the log by at least 7.5 minutes (clock_offset.h)
//   reports    Nsight Systems records the UTC and the local time of its host; believed if the log then overlaps the report
//   processes  a Megatron log names the process of a trace, and says when it was profiled: only one zone puts the trace there
//   steps      a training log, which has no times, joins rollouts with traces or marked steps of known time (step_alignment.h)
//   others     logs of one run are written by hosts of one zone: local times within 10 minutes of those of a log whose
//              zone is known
//
// Without evidence, the timestamps are taken as UTC, and the report says so; if traces are open, it also says which offset to
// set. An offset holds for a whole log: a change to summer time within it is not seen. The offset goes into
// SourceView::clock_base, and the evidence into SourceInfo::clock_fit. A view whose zones are known already is left unchanged.
// Cost: O(sources + instants + steps of logs).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/clock/known_times.h"
#include "core/store/draft/source_draft.h"

namespace tv {

class TimeZones {
 public:
  /// Finds and applies the zones that are known without joining training logs. `known`: all files with known times.
  TimeZones(std::vector<SourceView>& views, const std::vector<TimedFile>& known);

  /// Whether the zone of the rollouts of that folder is not known (yet).
  bool is_open(std::string_view folder) const;
  /// Applies to rollouts a zone that was found by joining steps. False if it was known already, or keep() was called.
  bool tell(std::string_view folder, Ns east, const std::string& evidence);
  /// Steps were placed by the local times of these rollouts, so finish() does not move them any more.
  void keep(std::string_view folder);
  /// Reports for all others that their zone is unknown.
  void finish();

 private:
  // Sources that share a clock: the rollouts of a folder, or one log.
  struct LocalClock {
    std::string folder;  // for rollouts
    std::string name, pattern;
    std::vector<SourceView*> views;
    TimeRange extent{0, 0};  // as written, with the user's offsets
    bool kept = false;
    std::optional<Ns> east;
  };

  void list_clocks(std::vector<SourceView>& views);
  void by_user(LocalClock& clock);
  void by_reports(LocalClock& clock);
  void by_processes(LocalClock& clock);
  void by_others();
  void apply(LocalClock& clock, Ns east, const std::string& evidence);
  std::string offer(const LocalClock& clock) const;

  std::vector<LocalClock> clocks_;
  std::vector<TimedFile> utc_;
};

}  // namespace tv
