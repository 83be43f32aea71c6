#include "core/analysis/training/step_breakdown.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/analysis/statistics/summary.h"
#include "core/store/logs/verl_metrics.h"

namespace tv {
namespace {

// Parts are in the order of the lines, which is the same for all lines of one log.
std::vector<std::uint32_t> part_names(const MetricLog& log, const TrainingRun& run) {
  std::vector<std::uint32_t> names;
  for (const std::uint32_t record : run.records) {
    const MetricStep& step = log.steps[record];
    auto after = names.begin();
    for (std::uint32_t p = 0; p < step.part_count; ++p) {
      const std::uint32_t name = log.parts[step.first_part + p].name;
      auto at = std::ranges::find(names, name);
      if (at == names.end()) at = names.insert(after, name);
      after = at + 1;
    }
  }
  return names;
}

// A line may cover several iterations.
double per_step(const MetricStep& line, Ns duration) {
  return to_seconds(duration) / static_cast<double>(line.step - line.first_step + 1);
}

std::vector<double> seconds_of(const MetricLog& log, const TrainingRun& run, std::uint32_t name) {
  // A metric in seconds is more exact than the part's duration, which is rounded to nanoseconds.
  if (const Metric* const metric = run.find(std::string(kTimingPrefix).append(log.name(name)))) return metric->values;
  std::vector<double> seconds(run.steps.size(), kNotMeasured);
  for (std::size_t s = 0; s < run.records.size(); ++s) {
    const MetricStep& step = log.steps[run.records[s]];
    for (std::uint32_t p = 0; p < step.part_count; ++p) {
      const MetricPart& part = log.parts[step.first_part + p];
      if (part.name == name) seconds[s] = per_step(step, part.duration);
    }
  }
  return seconds;
}

std::vector<double> totals(const MetricLog& log, const TrainingRun& run) {
  for (const std::string_view name : {"timing_s/step", "perf/time_per_step"}) {
    if (const Metric* const metric = run.find(name)) return metric->values;
  }
  std::vector<double> seconds;
  for (const std::uint32_t record : run.records) {
    const Ns duration = log.steps[record].duration;
    seconds.push_back(duration > 0 ? per_step(log.steps[record], duration) : kNotMeasured);
  }
  return seconds;
}

double or_zero(double seconds) { return std::isnan(seconds) ? 0 : seconds; }

// Whether, in most steps that have the part, the other parts leave no room for it.
bool lies_outside(const StepBreakdown& all, const BreakdownPart& part) {
  std::size_t outside = 0, steps = 0;
  for (std::size_t s = 0; s < all.total.size(); ++s) {
    if (std::isnan(all.total[s]) || std::isnan(part.seconds[s]) || part.seconds[s] <= 0) continue;
    double sum = 0;
    for (const BreakdownPart& other : all.parts) sum += or_zero(other.seconds[s]);
    ++steps;
    if (sum > all.total[s] * 1.005 + 0.01) ++outside;
  }
  return outside * 2 > steps;
}

}  // namespace

StepBreakdown step_breakdown(const Training& training, const TrainingRun& run) {
  const MetricLog& log = training.log();
  StepBreakdown out;
  out.total = totals(log, run);
  for (const std::uint32_t name : part_names(log, run)) {
    out.parts.push_back({std::string(log.name(name)), seconds_of(log, run, name)});
  }
  for (BreakdownPart& part : out.parts) {
    if (part.name == "testing") part.outside = lies_outside(out, part);
  }
  for (std::size_t s = 0; s < out.total.size(); ++s) {
    double rest = out.total[s], summed = std::abs(rest), terms = 1;
    for (const BreakdownPart& part : out.parts) {
      if (part.outside) continue;
      const double seconds = or_zero(part.seconds[s]);
      rest -= seconds;
      summed += std::abs(seconds);
      terms += 1;
    }
    // Differences that rounding of the sums can explain count as 0.
    const bool rounding = std::abs(rest) <= terms * std::numeric_limits<double>::epsilon() * summed;
    out.unaccounted.push_back(rounding ? 0 : rest);
  }
  return out;
}

}  // namespace tv
