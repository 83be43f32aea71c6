// Places the steps of training logs on the view's clock, before a Trace is built. A log that states times keeps them. Any other
// log is joined with other open files, if there is evidence that they are of the same run:
//
//   rollout logs   timing_s/gen matches the durations of rollouts, and timing_s/step the times between them, in one order
//                  that is clearly better than all others (step_alignment.h); the evidence below counts, too
//   NVTX ranges    the ranges "step" of a process match the durations of consecutive steps of the log, in one place only
//   traces         a trace names its step. If the log names the process of the trace, the trace must not be longer than the phase
//                  that it shows. If the process is unknown, the trace must be about as long as that phase
//
// If the evidence is doubtful, nothing is joined. Steps that are not joined are laid end to end, also between joined ones. The
// result and its evidence are written to MetricFile::placing and shown on the lane. Cost: O(steps + files), plus the cost of
// step_join.h for each log. Source: rollout logs, verl's console, verl's file logger.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/store/clock/time_zones.h"
#include "core/store/draft/source_draft.h"

namespace tv {

/// A rollout that is not among the views.
struct OtherRollout {
  std::string path;
  std::int64_t step = 0;
  FileRange in_file;                      ///< by the clock of its folder, unless it is packed
  std::optional<RecordedRange> recorded;  ///< if it is packed
  bool zone_unknown = false;              ///< its local time was taken as UTC

  TimeRange plain() const { return recorded ? recorded->plain() : in_file.plain(); }
};
/// For each file of a rollout log: when each of its runs began and ended, in time order, by the clock of the log.
std::vector<std::vector<TimeRange>> rollout_extents(const RolloutLog& log);

/// Finds the time zones of logs, and adds the steps of training logs as slices. `other_files`: files with known times that are
/// not among the views. `other_rollouts`: rollouts that were not chosen, or are packed. Call it once for each view. Logs whose
/// zones were found before (was_measured) keep them.
void place_logs(std::vector<SourceView>& views, const std::vector<TimedFile>& other_files = {},
                const std::vector<OtherRollout>& other_rollouts = {});

}  // namespace tv
