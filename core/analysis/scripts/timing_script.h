// What verl's plot_timing_metrics.py computes from a console log: the numbers whose names begin with timing_s/,
// timing_per_token_ms/ or perf/, in the order of the file. The script counts lines instead of steps, keeps repeated steps, and
// ignores np.float64(1.5), nan and inf. We do the same to reproduce its numbers, with one difference: we read only lines of
// metrics, not names in other texts. Cost: O(values). Source: verl's scripts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/statistics/summary.h"
#include "core/analysis/training/training.h"

namespace tv {

struct TimingScript {
  std::vector<Metric> metrics;  ///< by name; values follow each other without gaps

  const Metric* find(std::string_view name) const;
};

TimingScript timing_script(const Training& training, const TrainingRun& run);

/// The metrics that the script summarises, in its order; those that do not occur are left out.
std::vector<std::string_view> timing_summary_names(const TimingScript& script);

/// The block "TIMING SUMMARY STATISTICS" as the script prints it.
std::string timing_summary_text(const TimingScript& script);

}  // namespace tv
