#include "core/view/timeline/step_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/rollout/step_overview.h"
#include "core/analysis/rollout/worker_phases.h"
#include "core/analysis/statistics/usual_length.h"
#include "core/analysis/training/step_breakdown.h"

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

// Makes bars that show only the length of each step.
StepStrip whole_steps(const StepSource& source) {
  std::vector<double> seconds;
  for (const StepRange& step : source.steps) seconds.push_back(to_seconds(step.range.length()));
  const UsualLength usual(seconds);
  StepStrip strip;
  strip.bars.resize(source.steps.size());
  for (std::size_t s = 0; s < seconds.size(); ++s) {
    StepBar& bar = strip.bars[s];
    const StepRange& step = source.steps[s];
    bar.seconds = at(bar.part, StepPart::Whole) = seconds[s];
    bar.factor = usual.factor(seconds[s]);
    bar.name = step.name;
    bar.number = step.first == step.number ? std::to_string(step.number) : fmt::format("{}..{}", step.first, step.number);
    bar.range = step.range;
    strip.most = std::max(strip.most, bar.seconds);
  }
  return strip;
}

std::string seconds_words(double seconds) { return format_duration(static_cast<Ns>(seconds * 1e9 + 0.5)); }

void say_length(StepBar& bar, std::string_view whose) {
  bar.text = fmt::format("{}: {}, {}", bar.name, seconds_words(bar.seconds), whose);
}

void say_part(StepBar& bar, StepPart part, const std::string& more = {}) {
  const double seconds = at(bar.part, part);
  if (seconds <= 0) return;
  bar.text += fmt::format("\n{} ({:.1f} %)  {}{}", seconds_words(seconds), 100 * seconds / bar.seconds, name(part), more);
}

void say_factor(StepBar& bar) {
  if (bar.factor > 0) bar.text += fmt::format("\n{:.1f} times the median", bar.factor);
}

// Replaces the step's length with the mean times of its GPUs.
void add_gpus(const GpuActivity& activity, const std::vector<GpuInStep>& gpus, StepBar& bar) {
  if (gpus.empty()) return;
  const GpuStepMean mean = mean_of(gpus);
  at(bar.part, StepPart::Whole) = 0;
  at(bar.part, StepPart::Compute) = mean.computing();
  at(bar.part, StepPart::Graphs) = mean.graphs();
  at(bar.part, StepPart::Exposed) = mean.exposed;
  at(bar.part, StepPart::Copies) = mean.memory;
  at(bar.part, StepPart::Idle) = mean.idle;
  at(bar.part, StepPart::Unrecorded) = mean.unrecorded;
  bar.seconds = mean.length;
  const auto gpu_name = [&](std::size_t i) -> const std::string& { return activity.gpus[gpus[i].gpu].name; };
  say_length(bar, gpus.size() == 1 ? gpu_name(0) : fmt::format("mean of {} GPUs", gpus.size()));
  const double hidden = mean.overlapped - mean.beside_graph;
  say_part(bar, StepPart::Compute,
           hidden > 0 ? fmt::format(", {} of it overlapping communication", seconds_words(hidden)) : std::string());
  say_part(bar, StepPart::Graphs, " (their kernels were not recorded)");
  say_part(bar, StepPart::Exposed);
  say_part(bar, StepPart::Copies);
  say_part(bar, StepPart::Idle);
  say_part(bar, StepPart::Unrecorded);
  if (gpus.size() > 1) {
    bar.text += fmt::format("\nlongest: {}, {}", gpu_name(mean.longest), format_duration(gpus[mean.longest].range.length()));
    if (mean.exposed > 0)
      bar.text += fmt::format("\nmost exposed: {}, {}", gpu_name(mean.most_exposed),
                              format_duration(gpus[mean.most_exposed].time.exposed));
    bar.text += fmt::format("\nmost idle: {}, {}", gpu_name(mean.most_idle), format_duration(gpus[mean.most_idle].idle()));
  }
  say_factor(bar);
  if (mean.computing() + mean.graphs() + mean.exposed + mean.memory <= 0) bar.text += "\nNothing ran on the GPU in this time.";
  if (!activity.communicates) bar.text += "\nNo kernel was recognised as communication.";
  bar.text += "\nThe step lasts from its begin to its end on the CPU. What the GPU does later counts for the next step.";
}

std::string stages_text(const PipelineSummary& run) {
  return run.stages.size() == 1 ? run.stages.front() : fmt::format("mean of {} stages", run.stages.size());
}

void add_stages(const PipelineSummary& run, const PipelineStepSummary& step, StepBar& bar) {
  if (std::ranges::none_of(step.stages, &StageStep::present)) return;
  const PipelineStepMean mean = mean_of(step);
  at(bar.part, StepPart::Whole) = 0;
  at(bar.part, StepPart::Forward) = mean.forward;
  at(bar.part, StepPart::Backward) = mean.backward;
  at(bar.part, StepPart::OtherWork) = mean.other;
  at(bar.part, StepPart::Idle) = mean.idle;
  bar.seconds = to_seconds(step.span.length());
  say_length(bar, stages_text(run));
  for (const StepPart part : {StepPart::Forward, StepPart::Backward, StepPart::OtherWork, StepPart::Idle}) say_part(bar, part);
  bar.text += fmt::format("\nbubble of forward and backward {:.1f} %", 100 * step.compute_bubble);
  if (step.ideal) bar.text += fmt::format(", ideal of 1F1B {:.1f} %", 100 * *step.ideal);
  bar.text += fmt::format("\nslowest stage: {}, busy {:.2f} times the median", run.stages[step.slowest],
                          step.stages[step.slowest].factor);
  say_factor(bar);
}

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
    if (durations.rollout > 0) {  // false for NaN, too
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

StepStrip step_strip(const StepSource& source, std::string_view why) {
  StepStrip strip = whole_steps(source);
  for (StepBar& bar : strip.bars) {
    say_length(bar, fmt::format("of {}", source.of));
    say_factor(bar);
    if (!why.empty()) bar.text.append("\n").append(why);
  }
  return strip;
}

StepStrip step_strip(const GpuActivity& activity, std::span<const StepSource> sources, std::span<const GpuSteps> steps,
                     std::uint32_t source) {
  if (steps[source].gpus.empty())
    return step_strip(sources[source], "What GPUs did in the step is unknown, because no GPU belongs to its process.");
  StepStrip strip = whole_steps(sources[source]);
  strip.most = 0;
  std::size_t least = SIZE_MAX, most = 0;
  const StepNumbers numbers(sources);
  for (std::uint32_t s = 0; s < strip.bars.size(); ++s) {
    StepBar& bar = strip.bars[s];
    const std::vector<GpuInStep> gpus = gpus_in_step(numbers, steps, source, s);
    least = std::min(least, gpus.size());
    most = std::max(most, gpus.size());
    add_gpus(activity, gpus, bar);
    strip.most = std::max(strip.most, bar.seconds);
  }
  if (most > 0) {
    strip.of = most == 1 ? activity.gpus[steps[source].gpus.front()].name : fmt::format("mean of {} GPUs", most);
    if (least < most && most > 1) strip.of = fmt::format("mean of {} to {} GPUs", least, most);
  }
  return strip;
}

std::optional<StepStrip> step_strip(const StepSource& source, std::span<const PipelineSummary> pipelines) {
  std::vector<std::pair<const PipelineSummary*, const PipelineStepSummary*>> known;
  for (const PipelineSummary& run : pipelines) {
    if (source.kind != StepsOf::Pipeline || run.name != source.of) continue;
    for (const PipelineStepSummary& step : run.steps) known.emplace_back(&run, &step);
  }
  const auto place = [](const auto& each) { return std::pair(each.second->span.begin, each.second->number); };
  std::ranges::sort(known, {}, place);
  StepStrip strip = whole_steps(source);
  strip.most = 0;
  for (std::size_t s = 0; s < strip.bars.size(); ++s) {
    const StepRange& step = source.steps[s];
    const auto found = std::ranges::lower_bound(known, std::pair(step.range.begin, step.number), {}, place);
    if (found == known.end() || place(*found) != std::pair(step.range.begin, step.number)) return std::nullopt;
    add_stages(*found->first, *found->second, strip.bars[s]);
    strip.most = std::max(strip.most, strip.bars[s].seconds);
    strip.of = stages_text(*found->first);
  }
  return strip;
}

}  // namespace tv
