// The meaning of a typed destination: a time, a step, a lane, a request. The box (Ctrl+G), scripts and screenshot --go share one
// syntax.
//
//   12.5s   500 ms   90        a time since the begin, or since the step if times are shown so; in seconds without a unit
//   1:02:03   62:03.5          the same in hours, minutes, seconds; beyond the end of the trace, a time of the wall clock
//   14:03:22                   a time of the wall clock, on the first day that has it; preferred if times are shown so
//   2025-07-13 14:03:22        the same with its date
//   step 67   ProfilerStep#6   a step by its number or its name (step_ranges.h)
//   rank 3   gpu 1 stream 7    a lane, in the words of lane_filter.h
//   a3f1                       a request by its id, or the first letters of the id
//
// Pure; O(steps), O(requests) or O(lanes).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/run/run_data.h"
#include "core/base/result.h"
#include "core/view/words/time_style.h"

namespace tv {

/// The destination: one of these; for a step, its range and possibly its index.
struct GoToPlace {
  std::optional<Ns> time;                      ///< relative to the trace's origin
  std::optional<TimeRange> range;              ///< for a step
  std::optional<std::uint32_t> rollout_step;   ///< index in Rollout::steps
  std::optional<std::uint32_t> training_line;  ///< index in MetricLog::steps
  std::optional<RequestIx> request;
  LaneId lane = kNone<LaneId>;
  std::string description;  ///< how the text was understood: "step 67 of rl_run (rollout)"
};

Result<GoToPlace> find_place(const Trace& trace, const RunData& data, const TimeStyle& style, std::string_view text);

/// Parses "1:02:03.5" and "62:03": h:mm:ss or m:ss. None for other texts.
std::optional<Ns> clock_time(std::string_view text);
/// Parses "2025-07-13 14:03:22.5", also with a T: time since 1970, as if in UTC.
std::optional<Ns> dated_time(std::string_view text);

}  // namespace tv
