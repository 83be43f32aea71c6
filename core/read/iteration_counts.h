// The number of iterations that each line of a training log sums up. A line shows the mean since the previous line, so in a log
// that prints every 100 iterations each line covers 100. If lines are missing (a log that was cut, filtered or restarted), the
// difference to the previous line is larger, and the iterations in between were not measured.
//
// A difference is taken for the log's interval if it is the most frequent one nearby, or if a neighbour is equal and the
// iteration is a multiple of it, because Megatron prints if iteration % log_interval == 0. A larger difference is a gap: the line
// covers one interval. A log of 1, 3 and 6 has no interval, and each line covers everything since the line before. The first
// line, and the first after a resume, cover as many iterations as the lines around them. No line covers more than its time stamp
// and that of the previous line allow.
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
  Ns mean = 0;           ///< mean of one iteration; above 0
  Ns stamp = kNoPlace;   ///< when it was printed
};

/// At least 1 each.
std::vector<std::int64_t> iteration_counts(std::span<const IterationLine> lines);

}  // namespace tv
