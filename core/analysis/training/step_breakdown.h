// Where the time of training steps went: consecutive durations, their total as logged, and the unaccounted rest. Seconds per step
// of the run, or the mean if a line of the log covers several steps. NaN: not logged in that step.
// Some versions measure a part (testing) outside the step. If the sum of all parts exceeds the logged total in most steps that
// have this part, it is taken to be outside: then it is not in the total and does not reduce the rest.
// Cost: O(parts^2 x steps). Source: verl's scripts, verl's console, verl's file logger.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/training/training.h"

namespace tv {

struct BreakdownPart {
  std::string name;             ///< "gen"
  std::vector<double> seconds;  ///< per step
  bool outside = false;         ///< not contained in the logged total
};

struct StepBreakdown {
  std::vector<BreakdownPart> parts;  ///< in the order in which they follow each other
  std::vector<double> total;         ///< as logged
  std::vector<double> unaccounted;   ///< total - parts; NaN without a total; can be negative if logged figures are rounded
};

StepBreakdown step_breakdown(const Training& training, const TrainingRun& run);

}  // namespace tv
