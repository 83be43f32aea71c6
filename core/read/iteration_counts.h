// How many iterations each line of a training log sums up. A line tells the mean since the line before, so a log that
// prints every 100 iterations has lines about 100 each. Where lines are missing (a log that was cut, filtered or
// restarted) the difference to the line before is larger than that, and what lies between was not measured by anybody.
//
// A difference counts as the log's interval when most of those around it are equal, or when its neighbour is and the
// iteration is a multiple of it, as Megatron prints whenever iteration % log_interval == 0. A larger one is a gap: the
// line is about one interval. A log of 1, 3 and 6 has no interval, and each line is about all since the line before.
// The first line, and the first after a resume, are about as many as the lines around them. No line lasts longer than
// the time stamps of it and the line before allow.
//
// Cost: O(lines). Source: training_log() in Megatron-LM's training.py.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"
#include "core/store/logs/metric_log.h"

namespace tv {

struct IterationLine {
  std::int64_t iteration = 0;
  Ns mean = 0;           ///< of one iteration; above 0
  Ns stamp = kNoPlace;   ///< when it was printed
};

/// At least 1 each.
std::vector<std::int64_t> iteration_counts(std::span<const IterationLine> lines);

}  // namespace tv
