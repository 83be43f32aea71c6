// What somebody who types where to go means: a time, a step, a lane, a request. One language for the box (Ctrl+G), scripts and
// screenshot --go.
//
//   12.5s   500 ms   90        a time since the begin; without a unit seconds
//   1:02:03   62:03.5          likewise, in hours, minutes, seconds; where that is beyond the trace, of the wall clock
//   14:03:22                   of the wall clock, on the first day of the trace that has it; first where times are shown so
//   2025-07-13 14:03:22        likewise, with its date
//   step 67   ProfilerStep#6   a step by its number or its name (step_ranges.h)
//   rank 3   gpu 1 stream 7    a lane, in the words of lane_filter.h
//   a3f1                       a request by its id or how it begins
//
// Pure; O(steps), O(requests) or O(lanes).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/run/run_data.h"
#include "core/base/result.h"
#include "core/view/words/time_words.h"

namespace tv {

/// One of these.
struct GoToPlace {
  std::optional<Ns> time;                      ///< relative to the trace's origin
  std::optional<TimeRange> range;              ///< of a step
  std::optional<std::uint32_t> rollout_step;   ///< index in Rollout::steps
  std::optional<std::uint32_t> training_line;  ///< index in MetricLog::steps
  std::optional<RequestIx> request;
  LaneId lane = kNone<LaneId>;
  std::string said;  ///< what was understood: "step 67 of rl_run (rollout)"
};

Result<GoToPlace> find_place(const Trace& trace, const RunData& data, const TimeWords& words, std::string_view text);

/// "1:02:03.5", "62:03": h:mm:ss or m:ss; none: it is no such time.
std::optional<Ns> clock_time(std::string_view text);
/// "2025-07-13 14:03:22.5" or with a T: since 1970, as if in UTC.
std::optional<Ns> dated_time(std::string_view text);

}  // namespace tv
