// Training logs in the form that charts need: for each log, its steps in rising order, each number once, and its metrics as
// columns over these steps. If a step is logged again after a resume, its last record counts. Lines that add metrics to a step (a
// validation) are merged into the step. Names are canonical (store/logs/verl_metrics.h).
// Values have the unit that their name implies; NaN: not logged in that step, or not a finite number.
// Cost: O(values log names); 8 bytes per step and metric. Source: verl's console.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

struct Metric {
  std::string name;
  std::vector<double> values;  ///< per step
};

/// One log.
struct TrainingRun {
  std::string name;          ///< file name, or the path if several logs have the same file name
  std::uint32_t file = 0;    ///< index into MetricLog::files
  std::string unit;          ///< "step", "iteration"
  std::vector<std::int64_t> steps;     ///< rising
  std::vector<std::uint32_t> records;  ///< per step, in MetricLog::steps: its last line with a duration, else its last line
  std::vector<Metric> metrics;         ///< by name
  std::size_t repeated = 0;  ///< how often a step was printed again

  const Metric* find(std::string_view metric) const;
  std::optional<std::uint32_t> index_of(std::int64_t step) const;
};

struct Training {
  std::shared_ptr<const Trace> trace;
  std::vector<TrainingRun> runs;  ///< in the order of the sources; logs without any step are left out

  const MetricLog& log() const { return trace->metrics; }
};

/// Has no runs if the trace has no training log.
std::shared_ptr<const Training> make_training(std::shared_ptr<const Trace> trace);

}  // namespace tv
