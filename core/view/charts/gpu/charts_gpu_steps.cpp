// The activity of GPUs in each step that the program marked.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/analysis/gpu/gpu_steps.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/charts/gpu/step_part.h"
#include "core/view/words/number_words.h"

namespace tv {
namespace {

constexpr std::string_view kGpuStepNote =
    "A step lasts from the begin to the end of its range on the CPU; work of the GPU counts for the step in which it runs, "
    "not for the one that launched it. Computing includes the communication that is hidden behind it; exposed communication "
    "runs while nothing computes; copies and memsets count where nothing else runs; idle is the rest. Bars are the means of "
    "all GPUs that did the step; the table has each GPU.";

// The units of marked steps; those with several steps come first.
std::vector<std::string> units_of(const RunData& data) {
  std::vector<std::string> units;
  if (!data.steps) return units;
  for (const bool several : {true, false}) {
    for (const StepSource& source : *data.steps) {
      const bool known = std::ranges::find(units, source.unit) != units.end();
      if (source.kind == StepsOf::Marked && (source.steps.size() > 1) == several && !known)
        units.push_back(source.unit);
    }
  }
  return units;
}

std::string chosen_unit(const RunData& data, const ChartSettings& settings) {
  const std::vector<std::string> units = units_of(data);
  if (units.empty()) return {};
  const auto chosen = std::ranges::find(units, settings.text(kStepsShown));
  return chosen == units.end() ? units.front() : *chosen;
}

// A bar: one step on all ranks. Its name and range are those of the first rank.
struct StepTogether {
  const StepRange* step;
  std::vector<GpuInStep> gpus;
  GpuStepMean mean;
  std::string_view recording;  ///< its name, if ranks were recorded several times
  std::size_t place = 0;       ///< index of the recording among all, in file order
};

// "10", or "10, before".
std::string number_text(const StepTogether& step) {
  return fmt::format("{}{}{}", step.step->number, step.recording.empty() ? "" : ", ", step.recording);
}

std::vector<StepTogether> steps_together(const std::vector<StepSource>& sources, const std::vector<GpuSteps>& steps,
                                         const std::string& unit, const std::optional<Scope>& area) {
  std::vector<StepTogether> out;
  std::vector<std::vector<bool>> seen(sources.size());
  for (std::size_t s = 0; s < sources.size(); ++s) seen[s].resize(sources[s].steps.size());
  const auto place_of = [&](std::string_view recording) {
    const auto first = std::ranges::find(sources, recording, &StepSource::recording);
    return recording.empty() ? std::size_t{0} : static_cast<std::size_t>(first - sources.begin());
  };
  const StepNumbers numbers(sources);
  for (std::uint32_t s = 0; s < sources.size(); ++s) {
    if (sources[s].kind != StepsOf::Marked || sources[s].unit != unit || steps[s].gpus.empty()) continue;
    for (std::uint32_t i = 0; i < sources[s].steps.size(); ++i) {
      const StepRange& step = sources[s].steps[i];
      if (seen[s][i] || (area && !area->touches(step.range.begin, step.range.end))) continue;
      std::vector<GpuInStep> gpus = gpus_in_step(numbers, steps, s, i);
      std::erase_if(gpus, [&](const GpuInStep& gpu) { return seen[gpu.source][gpu.step]; });
      for (const GpuInStep& gpu : gpus) seen[gpu.source][gpu.step] = true;
      const GpuStepMean mean = mean_of(gpus);
      out.push_back({&step, std::move(gpus), mean, sources[s].recording, place_of(sources[s].recording)});
    }
  }
  std::ranges::stable_sort(out, {}, [](const StepTogether& each) { return std::pair(each.place, each.step->range.begin); });
  return out;
}

struct StepTimePart {
  StepPart part;
  double (*of)(const GpuStepMean& mean);
};
constexpr StepTimePart kStepTimeParts[] = {
    {StepPart::Compute, [](const GpuStepMean& m) { return m.computing(); }},
    {StepPart::Graphs, [](const GpuStepMean& m) { return m.graphs(); }},
    {StepPart::Exposed, [](const GpuStepMean& m) { return m.exposed; }},
    {StepPart::Copies, [](const GpuStepMean& m) { return m.memory; }},
    {StepPart::Idle, [](const GpuStepMean& m) { return m.idle; }},
    {StepPart::Unrecorded, [](const GpuStepMean& m) { return m.unrecorded; }}};

ChartTable gpu_step_table(Chart& chart, const GpuActivity& activity, const std::vector<StepTogether>& steps) {
  const auto of_communication = [&](Ns ns) {
    return activity.communicates ? duration_cell(ns) : in_words("-", ns_cell(std::nan("")));
  };
  ChartTable table;
  table.columns = {{"step"},          {device_noun(activity)}, {"begin", true},
                   {"length", true},  {"computing", true},     {"overlapped", true},
                   {"exposed", true}, {"copies", true},        {"idle", true},
                   {"busy %", true}};
  constexpr std::ptrdiff_t kGraphsColumn = 5;  // after "computing"
  const bool graphs = graph_time(activity) > 0;
  if (graphs) table.columns.insert(table.columns.begin() + kGraphsColumn, {"graphs", true});
  for (const StepTogether& step : steps) {
    for (const GpuInStep& gpu : step.gpus) {
      const GpuTime& time = gpu.time;
      table.rows.push_back({step.step->name, activity.gpus[gpu.gpu].name, time_cell(gpu.range.begin),
                            duration_cell(gpu.range.length()), duration_cell(time.computing()),
                            of_communication(time.overlapped), of_communication(time.exposed),
                            duration_cell(time.memory), duration_cell(gpu.idle()),
                            number_cell(percent_of(time.busy(), gpu.recorded), 1)});
      if (graphs) table.rows.back().insert(table.rows.back().begin() + kGraphsColumn, duration_cell(time.graphs()));
      table.targets.push_back(stretch_target(chart, gpu.range));
    }
  }
  return table;
}

std::vector<ChartFact> gpu_step_facts(const GpuActivity& activity, const std::vector<StepTogether>& steps, Ns outside) {
  double length = 0, idle = 0, exposed = 0, recorded = 0;
  std::size_t most = 0;
  for (const StepTogether& step : steps) {
    length += step.mean.length;
    idle += step.mean.idle;
    exposed += step.mean.exposed;
    recorded += step.mean.length - step.mean.unrecorded;
    most = std::max(most, step.gpus.size());
  }
  std::vector<ChartFact> facts = {{"steps", count_cell(steps.size())},
                                  {fmt::format("{}s", device_noun(activity)), count_cell(most)},
                                  {"mean step", seconds_cell(length / static_cast<double>(steps.size()))},
                                  {"idle", percent_cell(recorded > 0 ? 100 * idle / recorded : 0)}};
  if (activity.communicates)
    facts.emplace_back("exposed communication", percent_cell(recorded > 0 ? 100 * exposed / recorded : 0));
  if (outside > 0) facts.emplace_back("busy outside of all steps", duration_cell(outside));
  for (ChartFact& fact : communication_facts(activity)) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace

std::vector<ChartControl> gpu_step_controls(const RunData& data, const ChartSettings& settings) {
  std::vector<ChartControl> controls;
  std::vector<ChartControl::Choice> choices;
  for (const std::string& unit : units_of(data)) choices.push_back({choices.empty() ? std::string() : unit, unit});
  if (choices.size() > 1) {
    controls.push_back(choice_control(settings, std::string(kStepsShown), "steps",
                                      "What the program marked as its steps", std::move(choices)));
  }
  controls.push_back(communication_control(settings));
  return controls;
}

std::vector<Chart> gpu_step_charts(const RunData& data, const ChartQuestion& question) {
  const std::string unit = chosen_unit(data, question.settings);
  if (unit.empty()) {
    return {empty_chart(
        "gpu_steps", "Steps on the GPU",
        "No range is called a step (ProfilerStep#6, \"iteration 12\", \"step 3\"); the panel Pace shows which ranges repeat")};
  }
  // Whole steps are counted, from the full data; an area only selects among them.
  RunData all = data;
  if (all.gpu->whole) all.gpu = all.gpu->whole;
  const std::shared_ptr<const GpuActivity> counted = gpu_activity(all, question.settings);
  const GpuActivity& activity = *counted;
  ThreadPool pool = background_pool();
  const std::vector<GpuSteps> steps_by_source = gpu_steps(activity, *data.steps, pool);
  std::vector<StepTogether> steps = steps_together(*data.steps, steps_by_source, unit, question.area);
  std::string scope =
      question.area ? "steps that touch " + words_of({question.area->range, {}, question.area->step}) : std::string();
  if (question.area && steps.empty()) {
    scope = "all data: no step touches " + words_of({question.area->range, {}, question.area->step});
    steps = steps_together(*data.steps, steps_by_source, unit, {});
  }
  if (steps.empty()) {
    return {empty_chart("gpu_steps", "Steps on the GPU",
                        "No process that marks steps is known to use a GPU")};
  }
  Ns outside = 0;
  for (std::size_t s = 0; s < steps_by_source.size(); ++s) {
    if ((*data.steps)[s].unit == unit) outside += steps_by_source[s].outside;
  }
  Chart chart;
  chart.id = "gpu_steps";
  chart.title = fmt::format("What the {}s did in each {}", device_noun(activity), unit);
  chart.note = kGpuStepNote;
  chart.scope = scope;
  chart.x.title = "step";
  chart.y.title = "time (s)";
  chart.y.unit = ChartUnit::Seconds;
  chart.y.from_zero = true;
  std::vector<ChartTarget> targets;
  for (const StepTogether& step : steps) {
    chart.x.categories.push_back(number_text(step));
    targets.push_back(stretch_target(chart, step.step->range));
  }
  for (const StepTimePart& part : kStepTimeParts) {
    if (std::ranges::none_of(steps, [&](const StepTogether& step) { return part.of(step.mean) > 0; })) continue;
    ChartSeries& series = chart.series.emplace_back();
    series.name = name(part.part);
    series.mark = ChartSeries::Mark::Bars;
    series.color = color_of(part.part);
    series.hatched = series.faint = part.part == StepPart::Idle;
    series.targets = targets;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      series.x.push_back(static_cast<double>(s));
      series.y.push_back(part.of(steps[s].mean));
    }
  }
  chart.facts = gpu_step_facts(activity, steps, question.area ? 0 : outside);
  chart.table = gpu_step_table(chart, activity, steps);
  return {std::move(chart)};
}

}  // namespace tv
