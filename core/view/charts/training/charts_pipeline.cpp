#include "core/view/charts/training/charts_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/step_part.h"
#include "core/view/color/phase_colors.h"
#include "core/view/words/number_words.h"

namespace tv {
namespace {

constexpr std::string_view kBubbleNote =
    "Idle share of the time from the first begin to the last end of forward and backward jobs on any stage: at least (p - 1) "
    "/ (m + p - 1) with p stages and m micro-batches of equal length, if nothing is interleaved or deferred. Optimizer and lr "
    "jobs do not count as work here; in the heat map they do.";
constexpr std::string_view kHeatNote =
    "Idle share of the step, from its first begin to its last end on any stage. All jobs count as work, also those of the "
    "optimizer, except recv_ and send_ jobs, which are waiting.";
constexpr std::string_view kStageNote =
    "What each stage did in the step. The rest is idle time, by phase: warm-up is before the stage's first backward job, "
    "cool-down after its last forward job, steady between them. Idle at the end is after the last backward job of all stages. "
    "\"x median\" is busy time over the median of the stages. \"on the path\" is the stage's part of the critical path, the "
    "chain of jobs that decides how long the step takes.";
constexpr std::string_view kNoTimes = "No step with times is logged";

constexpr std::string_view kStepNote =
    "Means over the stages that have the step. Idle is the time in which a stage does nothing between the step's first begin "
    "and its last end on any stage.";
constexpr std::size_t kChartsOfRun = 4;
enum : std::size_t { kMostLines = 10 };  // more colours are hard to tell apart

double percent(double share) { return 100 * share; }
double as_seconds(Ns ns) { return static_cast<double>(ns) / 1e9; }

int work_color(PipelineWork work) {
  switch (work) {
    case PipelineWork::forward:
      return kForwardColor;
    case PipelineWork::backward:
      return kBackwardColor;
    case PipelineWork::backward_b:
      return kBackwardInputColor;
    case PipelineWork::backward_w:
      return kBackwardWeightsColor;
    case PipelineWork::optimizer:
      return kOptimizerColor;
    case PipelineWork::lr:
      return kLearningRateColor;
    case PipelineWork::communication:
      return kTransferColor;
    case PipelineWork::other:
    case PipelineWork::kCount:
      break;
  }
  return 9;
}

std::string step_text(const PipelineStepSummary& step) {
  return step.attempt == 0 ? fmt::format("step {}", step.number)
                           : fmt::format("step {} of run {}", step.number, step.attempt + 1);
}

std::string shape_text(const PipelineShape& shape) {
  std::string text = count_text(static_cast<std::uint64_t>(shape.stages), "stage") + ", " +
                     count_text(static_cast<std::uint64_t>(shape.micro_batches), "micro-batch", "micro-batches");
  if (shape.chunks > 1)
    text += fmt::format(", {} {}", shape.chunks, shape.parts ? "parts per job" : "chunks per stage");
  return text;
}

// Where steps lie on an axis: at their numbers, or at names if numbers repeat.
struct PipelineSteps {
  ChartAxis axis;
  std::vector<double> x;
};

PipelineSteps steps_axis(const PipelineSummary& run) {
  PipelineSteps steps;
  steps.axis.title = "step";
  steps.axis.unit = ChartUnit::Count;
  const bool numbers_repeat = run.steps.back().attempt > 0;
  for (std::size_t s = 0; s < run.steps.size(); ++s) {
    steps.x.push_back(numbers_repeat ? static_cast<double>(s) : static_cast<double>(run.steps[s].number));
    if (numbers_repeat) steps.axis.categories.push_back(step_text(run.steps[s]));
  }
  return steps;
}

// A click makes the step the current one.
ChartTarget target_of_step(std::size_t step) { return {ChartTarget::Kind::Setting, static_cast<std::uint32_t>(step)}; }

void set_targets(Chart& chart, const PipelineSummary& run) {
  for (const PipelineStepSummary& step : run.steps) {
    chart.settings.emplace_back(std::string(kPipelineStep), std::to_string(step.number));
  }
}

ChartSeries line(std::string name, int color, const PipelineSteps& steps) {
  ChartSeries series;
  series.name = std::move(name);
  series.mark = ChartSeries::Mark::LineAndDots;
  series.color = color;
  series.x = steps.x;
  for (std::size_t s = 0; s < steps.x.size(); ++s) series.targets.push_back(target_of_step(s));
  return series;
}

double compute_bubble(const StageStep& stage) {
  return stage.present ? percent(stage.compute_bubble) : std::numeric_limits<double>::quiet_NaN();
}

void add_stage_lines(Chart& chart, const PipelineSummary& run, const PipelineSteps& steps) {
  for (std::size_t stage = 0; stage < run.stages.size(); ++stage) {
    ChartSeries series = line(run.stages[stage], static_cast<int>(stage), steps);
    for (const PipelineStepSummary& step : run.steps) series.y.push_back(compute_bubble(step.stages[stage]));
    chart.series.push_back(std::move(series));
  }
}

// Summarises many stages by their least, mean and greatest bubble.
void add_range_lines(Chart& chart, const PipelineSummary& run, const PipelineSteps& steps) {
  ChartSeries least = line("least of all stages", 2, steps), mean = line("mean", 0, steps);
  ChartSeries most = line("most of all stages", 1, steps);
  for (const PipelineStepSummary& step : run.steps) {
    double low = 100, high = 0;
    for (const StageStep& stage : step.stages) {
      if (!stage.present) continue;
      low = std::min(low, compute_bubble(stage));
      high = std::max(high, compute_bubble(stage));
    }
    least.y.push_back(low);
    mean.y.push_back(percent(step.compute_bubble));
    most.y.push_back(high);
  }
  chart.series = {std::move(most), std::move(mean), std::move(least)};
}

// Adds a horizontal rule if all steps have the same ideal, else a line.
void add_ideal(Chart& chart, const PipelineSummary& run, const PipelineSteps& steps, std::string_view title,
               std::optional<double> (*ideal)(const PipelineStepSummary&)) {
  const auto first = ideal(run.steps.front());
  const bool same = std::ranges::all_of(run.steps, [&](const auto& step) { return ideal(step) == first; });
  if (same) {
    if (first) {
      chart.rules.push_back(
          {percent(*first), false, fmt::format("{}: {}", title, percent_text(percent(*first))), kNeutralColor});
    }
    return;
  }
  ChartSeries series = line(std::string(title), kNeutralColor, steps);
  series.dashed = true;
  for (const PipelineStepSummary& step : run.steps) {
    series.y.push_back(ideal(step) ? percent(*ideal(step)) : std::numeric_limits<double>::quiet_NaN());
  }
  chart.series.push_back(std::move(series));
}

std::optional<double> classic_ideal(const PipelineStepSummary& step) { return step.ideal; }
std::optional<double> interleaved_ideal(const PipelineStepSummary& step) { return step.ideal_interleaved; }

Chart bubble_chart(const PipelineSummary& run) {
  const PipelineSteps steps = steps_axis(run);
  Chart chart;
  chart.id = "pipeline_bubble";
  chart.title = fmt::format("Bubble of forward and backward, {} ({})", run.name, shape_text(run.steps.back().shape));
  chart.note = kBubbleNote;
  chart.x = steps.axis;
  set_targets(chart, run);
  chart.y.title = "idle (%)";
  chart.y.unit = ChartUnit::Percent;
  chart.y.from_zero = true;
  run.stages.size() <= kMostLines ? add_stage_lines(chart, run, steps) : add_range_lines(chart, run, steps);
  const bool interleaved =
      std::ranges::any_of(run.steps, [](const auto& s) { return s.ideal_interleaved.has_value(); });
  add_ideal(chart, run, steps, "ideal of 1F1B", classic_ideal);
  if (interleaved) add_ideal(chart, run, steps, "ideal, interleaved", interleaved_ideal);
  const std::string_view no_ideal = run.steps.back().no_ideal;
  double compute = 0, whole = 0;
  std::size_t out_of_order = 0, too_early = 0;
  for (const PipelineStepSummary& step : run.steps) {
    compute += step.compute_bubble;
    whole += step.bubble;
    out_of_order += step.in_order ? 0 : 1;
    too_early += step.too_early;
  }
  const auto n = static_cast<double>(run.steps.size());
  chart.facts = {{"mean bubble of forward and backward", percent_cell(percent(compute / n))},
                 {"mean bubble of the step", percent_cell(percent(whole / n))}};
  if (!no_ideal.empty()) chart.facts.emplace_back("ideal of 1F1B", ChartCell("none: " + std::string(no_ideal)));
  // Both say that clocks of machines differ or stages are not in device order. Then arrows and the ideal are unreliable.
  if (out_of_order > 0) chart.facts.emplace_back("steps in another order than the stages", count_cell(out_of_order));
  if (too_early > 0) chart.facts.emplace_back("jobs that begin before their input arrives", count_cell(too_early));
  return chart;
}

Chart bubble_map(const PipelineSummary& run) {
  Chart chart;
  chart.id = "pipeline_idle_map";
  chart.title = fmt::format("Steps x stages: bubble of the step, {}", run.name);
  chart.note = kHeatNote;
  chart.x.title = "step";
  chart.y.title = "stage";
  for (const PipelineStepSummary& step : run.steps) {
    chart.x.categories.push_back(step.attempt == 0 ? std::to_string(step.number) : step_text(step));
  }
  chart.y.categories = run.stages;
  set_targets(chart, run);
  ChartCells& cells = chart.cells.emplace();
  cells.name = "idle (%)";
  cells.shares = true;
  for (std::size_t stage = 0; stage < run.stages.size(); ++stage) {
    for (std::size_t s = 0; s < run.steps.size(); ++s) {
      const StageStep& at = run.steps[s].stages[stage];
      cells.value.push_back(at.present ? percent(at.bubble) : std::numeric_limits<double>::quiet_NaN());
      cells.targets.push_back(target_of_step(s));
    }
  }
  return chart;
}

// Adds a part to the bar of each stage, unless it is zero everywhere.
void add_part(Chart& chart, const PipelineStepSummary& step, std::string name, int color, bool idle,
              const std::vector<Ns>& parts) {
  if (std::ranges::all_of(parts, [](Ns part) { return part == 0; })) return;
  ChartSeries series;
  series.name = std::move(name);
  series.mark = ChartSeries::Mark::Bars;
  series.color = color;
  series.faint = idle;
  series.hatched = idle;
  for (std::size_t stage = 0; stage < parts.size(); ++stage) {
    const double share = static_cast<double>(parts[stage]) / static_cast<double>(std::max<Ns>(step.span.length(), 1));
    series.x.push_back(static_cast<double>(stage));
    series.y.push_back(as_seconds(parts[stage]));
    series.labels.push_back(parts[stage] > 0 ? percent_text(percent(share)) : std::string());
  }
  chart.series.push_back(std::move(series));
}

template <class Part>
std::vector<Ns> per_stage(const PipelineStepSummary& step, Part part) {
  std::vector<Ns> parts;
  for (const StageStep& stage : step.stages) parts.push_back(part(stage));
  return parts;
}

ChartTable stage_table(const PipelineSummary& run, const PipelineStepSummary& step) {
  ChartTable table;
  table.columns = {{"stage", false},           {"busy", true},     {"idle", true},         {"bubble %", true},
                   {"fwd/bwd bubble %", true}, {"x median", true}, {"warm-up idle", true}, {"steady idle", true},
                   {"cool-down idle", true},   {"end idle", true}, {"on the path", true}};
  for (std::size_t s = 0; s < run.stages.size(); ++s) {
    const StageStep& stage = step.stages[s];
    if (!stage.present) {
      table.rows.emplace_back(table.columns.size(), ChartCell("-", NAN)).front() = run.stages[s];
      continue;
    }
    table.rows.push_back(
        {run.stages[s], duration_cell(stage.busy), duration_cell(step.span.length() - stage.busy),
         number_cell(percent(stage.bubble), 2), number_cell(percent(stage.compute_bubble), 2),
         number_cell(stage.factor, 3), duration_cell(stage.phase_idle[0]), duration_cell(stage.phase_idle[1]),
         duration_cell(stage.phase_idle[2]), duration_cell(stage.other_idle), duration_cell(stage.on_path)});
  }
  return table;
}

Chart stage_chart(const PipelineSummary& run, const PipelineStepSummary& step) {
  Chart chart;
  chart.id = "pipeline_stages";
  chart.title = fmt::format("Stages in {}, {}", step_text(step), run.name);
  chart.note = kStageNote;
  chart.horizontal = true;
  chart.x.title = "time (s)";
  chart.x.unit = ChartUnit::Seconds;
  chart.x.from_zero = true;
  chart.y.title = "stage";
  chart.y.categories = run.stages;
  for (std::size_t w = 0; w < kPipelineWorks; ++w) {
    const auto work = static_cast<PipelineWork>(w);
    add_part(chart, step, std::string(name(work)), work_color(work), false,
             per_stage(step, [&](const StageStep& stage) { return stage.work[w]; }));
  }
  constexpr int kIdleColors[kStagePhases] = {1, 3, 5};
  for (std::size_t p = 0; p < kStagePhases; ++p) {
    add_part(chart, step, fmt::format("idle in {}", name(static_cast<StagePhase>(p))), kIdleColors[p], true,
             per_stage(step, [&](const StageStep& stage) { return stage.phase_idle[p]; }));
  }
  add_part(chart, step, "idle at the end", 9, true,
           per_stage(step, [](const StageStep& stage) { return stage.other_idle; }));
  chart.table = stage_table(run, step);
  const StageStep& slowest = step.stages[step.slowest];
  chart.facts = {{"step", duration_cell(step.span.length())},
                 {"forward and backward", duration_cell(step.compute.length())},
                 {"bubble of the step, mean", percent_cell(percent(step.bubble))},
                 {"bubble of forward and backward, mean", percent_cell(percent(step.compute_bubble))},
                 {"ideal of 1F1B", step.ideal ? percent_cell(percent(*step.ideal)) : ChartCell("none: " + std::string(step.no_ideal))}};
  if (step.ideal_interleaved)
    chart.facts.emplace_back("ideal, interleaved", percent_cell(percent(*step.ideal_interleaved)));
  chart.facts.emplace_back("slowest stage",
                           in_words(fmt::format("{} ({:.2f} x median)", run.stages[step.slowest], slowest.factor),
                                    run.stages[step.slowest]));
  chart.facts.emplace_back("waiting on the path", duration_cell(step.path_wait));
  return chart;
}

ChartTable pipeline_step_table(const PipelineSummary& run) {
  ChartTable table;
  table.columns = {{"step"},         {"length", true},   {"forward", true},         {"backward", true},     {"other work", true},
                   {"idle", true}, {"bubble %", true}, {"fwd/bwd bubble %", true}, {"slowest stage"}, {"x median", true}};
  for (std::size_t s = 0; s < run.steps.size(); ++s) {
    const PipelineStepSummary& step = run.steps[s];
    const PipelineStepMean mean = mean_of(step);
    table.rows.push_back({step_text(step), duration_cell(step.span.length()), seconds_cell(mean.forward),
                          seconds_cell(mean.backward), seconds_cell(mean.other), seconds_cell(mean.idle),
                          number_cell(percent(step.bubble), 2), number_cell(percent(step.compute_bubble), 2),
                          run.stages[step.slowest], number_cell(step.stages[step.slowest].factor, 3)});
    table.targets.push_back(target_of_step(s));
  }
  return table;
}

// Shows the data of the strip of steps above the timeline.
Chart pipeline_step_chart(const PipelineSummary& run) {
  const PipelineSteps steps = steps_axis(run);
  Chart chart;
  chart.id = "pipeline_steps";
  chart.title = run.stages.size() == 1 ? fmt::format("What each step went into, {}", run.name)
                                        : fmt::format("What each step went into, mean of {} stages, {}", run.stages.size(), run.name);
  chart.note = kStepNote;
  chart.x = steps.axis;
  chart.y.title = "time (s)";
  chart.y.unit = ChartUnit::Seconds;
  chart.y.from_zero = true;
  set_targets(chart, run);
  struct Part {
    StepPart part;
    double PipelineStepMean::* seconds;
  };
  constexpr Part kStepWork[] = {{StepPart::Forward, &PipelineStepMean::forward},
                                {StepPart::Backward, &PipelineStepMean::backward},
                                {StepPart::OtherWork, &PipelineStepMean::other},
                                {StepPart::Idle, &PipelineStepMean::idle}};
  for (const Part& part : kStepWork) {
    ChartSeries series = line(std::string(name(part.part)), color_of(part.part), steps);
    series.mark = ChartSeries::Mark::Bars;
    series.hatched = series.faint = part.part == StepPart::Idle;
    for (const PipelineStepSummary& step : run.steps) series.y.push_back(mean_of(step).*part.seconds);
    if (std::ranges::any_of(series.y, [](double seconds) { return seconds > 0; })) chart.series.push_back(std::move(series));
  }
  chart.table = pipeline_step_table(run);
  return chart;
}

}  // namespace

std::size_t step_looked_at(const PipelineSummary& run, std::optional<std::int64_t> number) {
  if (number) {
    // Unsigned, because the difference of two numbers of 64 bits may not fit into these.
    const auto apart = [&](const auto& step) {
      const auto [low, high] = std::minmax(step.number, *number);
      return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    };
    const auto nearest = std::ranges::min_element(run.steps, {}, apart);
    return static_cast<std::size_t>(nearest - run.steps.begin());
  }
  const auto longest = std::ranges::max_element(run.steps, {}, [](const auto& step) { return step.span.length(); });
  return static_cast<std::size_t>(longest - run.steps.begin());
}

std::vector<Chart> pipeline_charts(const std::vector<PipelineSummary>& runs, std::optional<std::int64_t> number) {
  std::vector<Chart> charts;
  for (const PipelineSummary& run : runs) {
    const std::size_t first = charts.size();
    charts.push_back(bubble_chart(run));
    charts.push_back(stage_chart(run, run.steps[step_looked_at(run, number)]));
    charts.push_back(bubble_map(run));
    charts.push_back(pipeline_step_chart(run));
    if (runs.size() == 1) continue;
    for (std::size_t c = first; c < charts.size(); ++c) charts[c].id += fmt::format("_{}", first / kChartsOfRun + 1);
  }
  if (charts.empty())
    charts.push_back(empty_chart("pipeline_bubble", "Bubble of forward and backward", std::string(kNoTimes)));
  return charts;
}

std::vector<Chart> charts_of_pipelines(const RunData& data, const ChartQuestion& question) {
  return pipeline_charts(*data.pipelines, question.settings.whole_number(kPipelineStep));
}

std::vector<ChartControl> pipeline_controls(const RunData& data, const ChartSettings& settings) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = std::numeric_limits<std::int64_t>::min();
  for (const PipelineSummary& run : *data.pipelines) {
    for (const PipelineStepSummary& step : run.steps) {
      least = std::min(least, step.number);
      most = std::max(most, step.number);
    }
  }
  const PipelineSummary& first = data.pipelines->front();
  const auto longest = first.steps[step_looked_at(first, {})].number;
  return {number_control(settings, std::string(kPipelineStep), "step", "The step whose stages are shown; at first the longest",
                         static_cast<double>(longest), static_cast<double>(least), static_cast<double>(most), "")};
}

}  // namespace tv
