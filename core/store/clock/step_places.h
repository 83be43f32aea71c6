// Places the steps of training logs on the view's clock. A log that states times keeps them. Any other log is joined with other
// open files of the same run, if there is evidence for that:
//
//   rollout logs   timing_s/gen matches the durations of rollouts, and timing_s/step the times between them, in one order
//                  that is clearly better than others (step_alignment.h); the evidence below counts too
//   NVTX ranges    the ranges "step" of a process match the durations of consecutive steps of the log, in one place only
//   traces         the file names a step, and either its process printed into the log and it is no longer than the phase
//                  that it shows, or no process is known and it is about as long as that phase
//
// A doubtful join is not made. Other steps are laid end to end, also between joined ones. The result and its evidence are written
// to MetricFile::placing and shown on the lane. Cost: O(steps + files), before a Trace is built.
// Source: rollout logs, verl's console, verl's file logger.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/store/clock/time_zones.h"
#include "core/store/draft/source_draft.h"

namespace tv {

/// A rollout that is not among the views.
struct OtherRollout {
  std::string path;
  std::int64_t step = 0;
  TimeRange extent;
  bool placed = false;  ///< it is packed, and extent is in UTC; otherwise extent is in the clock of its folder
  bool zone_unknown = false;  ///< it was taken as UTC
};
/// For each file of a rollout log: when each of its runs began and ended, in order.
std::vector<std::vector<TimeRange>> rollout_extents(const RolloutLog& log);

/// Finds the zones of the logs among these files, and adds the steps' slices to the training logs. `beside`: other files
/// whose times are known. `others`: rollouts that were not selected, or are packed. Done once for each view. A window uses the
/// zones of the files it was measured with.
void place_logs(std::vector<SourceView>& views, const std::vector<TimedFile>& beside = {},
                const std::vector<OtherRollout>& others = {});

}  // namespace tv
