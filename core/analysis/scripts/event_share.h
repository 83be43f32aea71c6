// How a step's time is spent: the share of each of the workers' events in their total_step_duration, in percent.
//
// event_shares(): for each event, its share of a worker's own total, averaged over the workers. With the unaccounted rest, the
// shares add up to 100. Workers without a total are left out.
// script_shares(), as in verl's script: the mean of all lines of an event divided by the mean of all totals, for three events.
// The two differ when a worker lacks an event or logs it twice, or when totals differ.
// Cost: O(phases). Source: verl's scripts, script event_persentage_step.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/analysis/scripts/script_files.h"
#include "core/analysis/statistics/summary.h"

namespace tv {

struct EventShares {
  std::vector<std::string_view> events;         ///< as event_seconds() orders them, without the total
  std::vector<std::vector<double>> percent;     ///< [event][step of Rollout::steps]; NaN: no worker has a total
  std::vector<double> unaccounted;              ///< by step
  std::vector<double> total;                    ///< [step]: mean over the workers, seconds
};
EventShares event_shares(const Rollout& rollout);

struct ScriptShares {
  std::int32_t step = 0;
  std::map<std::string_view, double> mean_seconds;  ///< the script's four events, as far as they occur
  std::map<std::string_view, double> percent;       ///< the events without the total; empty if the total does not occur
};
std::vector<ScriptShares> script_shares(const RolloutLog& log, const std::vector<ScriptFile>& files);

}  // namespace tv
