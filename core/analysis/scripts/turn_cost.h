// Shows whether later turns cost more. For each turn of the assistant, from 0: the mean time of preparation, engine,
// post-processing and tool parsing, the spread of the engine's time, and its token rate. Missing tool parsing counts as 0, as in
// verl's script. The script looks only at steps 1 to 80 and only at means. Unit: seconds. Cost: O(turns log turns).
// Source: verl's scripts, script turn_difference.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/analysis/statistics/summary.h"

namespace tv {

struct TurnCost {
  std::int32_t turn = 0;
  std::size_t n = 0;
  double pre_process = 0, engine_call = 0, post_process = 0, tool_parsing = 0;  ///< means
  std::array<double, 5> engine_box{};        ///< least, p25, median, p75, most
  double tokens_per_second = kNotMeasured;   ///< all tokens / all engine seconds, over the turns whose tokens are logged
  double tokens = kNotMeasured;              ///< mean number of tokens of the same turns
};

/// Sorted by turn. Turns that no request reached are left out.
std::vector<TurnCost> turn_costs(const Rollout& rollout, const RequestSet& requests);

/// As the script does it: complete requests of steps 1 to 80, over all runs.
std::vector<TurnCost> script_turn_costs(const RolloutLog& log);

}  // namespace tv
