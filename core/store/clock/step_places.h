// Places the steps of training logs on the view's clock. A log that states times keeps them. Any other log is joined with other
// open files of the same run, if there is evidence for that:
//
//   rollout logs   the order in which timing_s/gen and timing_s/step are as long as rollouts and the times between them
//                  (step_alignment.h), if that is clear; the evidence below counts too
//   NVTX ranges    "step" of a process, as long as the steps in a row that the log prints, in one place alone
//   traces         of a step by number, and of a process that printed into the log and no longer than the phase they
//                  show; or of no known process and about as long as that phase
//
// A doubtful join is not made. Steps that were not found are laid end to end, also between steps that were. The result and its
// evidence are written to MetricFile::placing and shown on the lane. Cost: O(steps + files), before a Trace is built.
// Source: rollout logs, verl's console, verl's file logger.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/store/clock/time_zones.h"
#include "core/store/draft/source_draft.h"

namespace tv {

/// A rollout that is not among the files.
struct OtherRollout {
  std::string path;
  std::int64_t step = 0;
  TimeRange extent;
  bool placed = false;  ///< it is packed, and the time is UTC; else it is in the file's clock, and lies where others of its folder do
  bool zone_unknown = false;  ///< it was taken as UTC
};
/// By file of a rollout log: when each run in it began and ended, in order.
std::vector<std::vector<TimeRange>> rollout_extents(const RolloutLog& log);

/// Finds the zones of the logs among these files, and adds the steps' slices to the training logs. `beside`: other files
/// whose times are known. `others`: rollouts that were not selected, or are packed. Done once for each view. A window uses the zones
/// of the files it was measured with.
void place_logs(std::vector<SourceView>& views, const std::vector<TimedFile>& beside = {},
                const std::vector<OtherRollout>& others = {});

}  // namespace tv
