// Where the time of training steps went: durations that follow each other, their total as it was logged, and the rest that
// nothing accounts for. Seconds per step of the run, or the mean where a line of the
// log covers several steps. NaN: not logged in that step.
// Some versions measure a part (testing) outside the step. The numbers show it: with that part the sum would exceed the
// step. Then it is no part of the total, and no rest is computed from it.
// Cost: O(parts x steps). Source: verl's scripts, verl's console, verl's file logger.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/training/training.h"

namespace tv {

struct BreakdownPart {
  std::string name;             ///< "gen"
  std::vector<double> seconds;  ///< per step
  bool outside = false;         ///< outside the step as the log defines it
};

struct StepBreakdown {
  std::vector<BreakdownPart> parts;  ///< in the order in which they follow each other
  std::vector<double> total;         ///< as logged
  std::vector<double> unaccounted;   ///< total - parts; NaN where the total is unknown; may be below 0 where logged
                                     ///< figures are rounded
};

StepBreakdown step_breakdown(const Training& training, const TrainingRun& run);

}  // namespace tv
