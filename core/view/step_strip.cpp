#include "core/view/step_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/step_breakdown.h"
#include "core/analysis/step_overview.h"
#include "core/analysis/summary.h"
#include "core/analysis/worker_phases.h"

namespace tv {
namespace {

double& at(std::array<double, kStepParts>& parts, StepPart part) { return parts[static_cast<std::size_t>(part)]; }

StepPart part_of(std::string_view event) {
  if (event == kPreprocessing) return StepPart::Preprocessing;
  if (event == kGenerate) return StepPart::Generate;
  return event == kBarrierWait ? StepPart::Wait : StepPart::Rest;
}

void describe(StepBar& bar, const std::string& more, const std::string& reason) {
  bar.text = fmt::format("{}: {:.1f} s{}", bar.name, bar.seconds, more);
  for (std::size_t p = 0; p < kStepParts; ++p) {
    if (bar.part[p] > 0) bar.text += fmt::format("\n{:>8.2f} s  {}", bar.part[p], name(static_cast<StepPart>(p)));
  }
  if (bar.factor > 0) bar.text += fmt::format("\n{:.1f} times the median", bar.factor);
  if (!reason.empty()) bar.text += "\n" + reason;
}

// As for rollouts: three deviations over what is usual, and not by a trifle.
struct UsualLength {
  double median = 0, spread = 0;
  explicit UsualLength(const std::vector<double>& seconds) {
    const std::vector<double> sorted = sorted_measured(seconds);
    median = quantile(sorted, 0.5);
    spread = median_absolute_deviation(sorted);
  }
  /// How many times the median a length that stands out is; else 0.
  double factor(double seconds) const {
    return seconds > median + 3 * spread && seconds > 1.2 * median ? seconds / median : 0;
  }
};

}  // namespace

bool StepStrip::has(StepPart part) const {
  return std::ranges::any_of(bars, [&](const StepBar& bar) { return bar.part[static_cast<std::size_t>(part)] > 0; });
}

std::optional<TimeRange> steps_range(const StepStrip& strip, std::size_t first, std::size_t last) {
  std::optional<TimeRange> range;
  for (std::size_t s = first; s <= last && s < strip.bars.size(); ++s) {
    const TimeRange& step = strip.bars[s].range;
    if (step.empty()) continue;
    if (!range) range = step;
    range->include(step.begin, step.end);
  }
  return range;
}

StepStrip step_strip(const Rollout& rollout) {
  const StepOverview overview = step_overview(rollout);
  StepStrip strip;
  strip.bars.resize(rollout.steps.size());
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    StepBar& bar = strip.bars[s];
    const StepPhases phases = worker_phases(rollout, s);
    for (const WorkerPhases& worker : phases.workers) {
      for (const EventSeconds& event : worker.events) {
        if (event.event != kTotal) at(bar.part, part_of(event.event)) += event.sum / static_cast<double>(phases.workers.size());
      }
    }
    const StepDurations& durations = overview.steps[s];
    if (durations.rollout > 0) {  // and not NaN
      double known = 0;
      for (const double seconds : bar.part) known += seconds;
      at(bar.part, StepPart::Rest) += std::max(0.0, durations.rollout - known);
    }
    if (durations.training > 0) at(bar.part, StepPart::Training) = durations.training;
    for (const double seconds : bar.part) bar.seconds += seconds;
    std::string reason;
    if (const auto& slow = durations.slow_rollout ? durations.slow_rollout : durations.slow_training) {
      bar.factor = slow->factor;
      if (slow->reason) reason = text_of(rollout, *slow->reason);
    }
    bar.name = rollout.step_name(s);
    bar.number = std::to_string(rollout.steps[s].step);
    bar.range = rollout.steps[s].extent;
    describe(bar, fmt::format(", {} requests", rollout.steps[s].end - rollout.steps[s].first), reason);
    strip.most = std::max(strip.most, bar.seconds);
  }
  return strip;
}

StepStrip step_strip(const Training& training, const TrainingRun& run) {
  const StepBreakdown breakdown = step_breakdown(training, run);
  const UsualLength usual(breakdown.total);
  StepStrip strip;
  strip.bars.resize(run.steps.size());
  for (std::size_t s = 0; s < run.steps.size(); ++s) {
    StepBar& bar = strip.bars[s];
    for (const BreakdownPart& part : breakdown.parts) {
      if (part.seconds[s] > 0) at(bar.part, step_part(part.name)) += part.seconds[s];
    }
    if (breakdown.unaccounted[s] > 0) at(bar.part, StepPart::Rest) += breakdown.unaccounted[s];
    for (const double seconds : bar.part) bar.seconds += seconds;
    bar.factor = usual.factor(breakdown.total[s]);
    bar.name = fmt::format("{} {}", run.unit, run.steps[s]);
    bar.number = std::to_string(run.steps[s]);
    const MetricStep& line = training.log().steps[run.records[s]];
    bar.range = {line.begin, line.begin + line.duration};
    describe(bar, {}, {});
    strip.most = std::max(strip.most, bar.seconds);
  }
  return strip;
}

StepStrip step_strip(const StepSource& source) {
  std::vector<double> seconds;
  for (const StepRange& step : source.steps) seconds.push_back(to_seconds(step.range.length()));
  const UsualLength usual(seconds);
  StepStrip strip;
  strip.bars.resize(source.steps.size());
  for (std::size_t s = 0; s < seconds.size(); ++s) {
    StepBar& bar = strip.bars[s];
    bar.seconds = at(bar.part, StepPart::Whole) = seconds[s];
    bar.factor = usual.factor(seconds[s]);
    bar.name = source.steps[s].name;
    const StepRange& step = source.steps[s];
    bar.number = step.first == step.number ? std::to_string(step.number) : fmt::format("{}..{}", step.first, step.number);
    bar.range = step.range;
    bar.text = fmt::format("{}: {}, of {}", bar.name, format_duration(source.steps[s].range.length()), source.of);
    if (bar.factor > 0) bar.text += fmt::format("\n{:.1f} times the median", bar.factor);
    strip.most = std::max(strip.most, bar.seconds);
  }
  return strip;
}

}  // namespace tv
