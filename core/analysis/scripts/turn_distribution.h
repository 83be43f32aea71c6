// The distribution of turns per request, step by step: the number of requests with each number of turns, and their mean duration.
// Requests whose number of turns is not logged are left out; requests with 0 turns are counted.
// Unit: seconds. Cost: O(requests). Source: verl's scripts, script turn_distribution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/analysis/scripts/script_files.h"

namespace tv {

struct TurnDistribution {
  std::vector<std::int32_t> turns;               ///< the numbers of turns that occur, rising
  std::size_t groups = 0;                        ///< number of steps
  std::vector<std::vector<std::size_t>> count;   ///< [turns][step]
  std::vector<std::vector<double>> mean_seconds; ///< [turns][step]; NaN without requests
  std::vector<std::size_t> total;                ///< [turns]
  std::vector<double> total_mean_seconds;        ///< [turns]
  std::size_t turns_not_logged = 0;              ///< number of requests left out
};

/// Groups are Rollout::steps.
TurnDistribution turn_distribution(const Rollout& rollout, const RequestSet& requests);

/// Groups are steps_of(files).
TurnDistribution script_turn_distribution(const RolloutLog& log, const std::vector<ScriptFile>& files);

}  // namespace tv
