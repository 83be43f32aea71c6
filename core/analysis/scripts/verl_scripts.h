// The results of verl's seven analysis scripts, from the same logs: one JSON object, to be compared with their output or used in
// its place. Keys, nesting and types are those of the scripts' values (reference/verl/*_golden.json), except that a sum of
// durations that is 0 is always the integer 0. req_analysis_and_cdf has every worker of every step. None and NaN become null;
// doubles have as many digits as needed. Sums are added in a different order than in numpy, so compare with a relative tolerance
// of 1e-9. Cost: O(requests log requests). Source: verl's scripts.
#pragma once

#include <string>

#include "core/analysis/rollout/rollout.h"

namespace tv {

std::string verl_scripts_json(const Rollout& rollout);

}  // namespace tv
