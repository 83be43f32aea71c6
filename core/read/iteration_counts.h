// The number of iterations that each line of a training log covers. A line shows means since the previous line, so in a log that
// prints every 100 iterations each line covers 100. If lines are missing because the log was cut, filtered or restarted, the
// distance to the previous line is larger, and a part of it was not measured.
//
// The distance between two lines is the log's interval if it is the most frequent distance nearby. It is also the interval if a
// neighbouring line has the same distance and the iteration is a multiple of it, because Megatron prints if iteration %
// log_interval == 0. A larger distance is a gap, and the line covers one interval. A log of iterations 1, 3 and 6 has no interval,
// and each line covers everything since the previous line. The first line, and the first after a resume, cover as many
// iterations as the lines around them. No line covers more iterations than fit between its time stamp and the previous one.
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
  Ns mean = 0;          ///< mean time of an iteration; above 0
  Ns stamp = kNoPlace;  ///< when the line was printed
};

/// One count for each line, at least 1.
std::vector<std::int64_t> iteration_counts(std::span<const IterationLine> lines);

}  // namespace tv
