// The results of verl's script overview_duration for a log, exact to the microsecond.
//
// rollout(s)  the longest of the files' LAST total_step_duration; a step without any is left out
// start(s)    the least (stamp - duration) of the files' FIRST lines, in microseconds as Python's datetime has them; later lines
//             that began earlier do not count. A file whose duration is no length of time has no start; the script fails there
// interval(i) start(i + 1) - start(i) over the steps that exist: a missing step widens it, and after a restart it includes
//             the break
// Outliers: values more than 2 standard deviations from the mean, in each of the two series.
// Unit: seconds. Cost: O(phases). Source: verl's scripts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/analysis/statistics/summary.h"

namespace tv {

struct ScriptOverview {
  std::vector<std::int32_t> steps;  ///< steps that have a rollout
  std::vector<double> rollouts;
  std::vector<std::int32_t> start_steps;  ///< steps that have a start
  std::vector<std::int64_t> starts;       ///< microseconds since the epoch, by the log's own clock
  std::vector<double> intervals;          ///< one fewer than starts
  Summary rollout, interval;
  double gap = kNotMeasured, ratio = kNotMeasured;           ///< difference and ratio of the means
  std::vector<std::size_t> slow_rollouts, slow_intervals;    ///< outliers: indices into rollouts and intervals
};

ScriptOverview script_overview(const Rollout& rollout);

/// datetime - timedelta(seconds=...): the seconds are rounded to microseconds, half to even. Nothing where Python fails: the
/// seconds are no number, or the result is not within the years 1 to 9999.
std::optional<std::int64_t> python_minus(std::int64_t microseconds, double seconds);
/// datetime.isoformat(): "2025-07-13T11:04:12.003027", without a fraction if it is a whole second.
std::string python_isoformat(std::int64_t microseconds);

}  // namespace tv
