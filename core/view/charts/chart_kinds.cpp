#include "core/view/charts/chart_kinds.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/run/run_scope.h"
#include "core/view/charts/charts_differences.h"
#include "core/view/charts/charts_durations.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/rollout/charts_requests.h"
#include "core/view/charts/rollout/charts_run.h"
#include "core/view/charts/training/charts_pipeline.h"
#include "core/view/charts/training/charts_training.h"
#include "core/view/color/phase_colors.h"

namespace tv {
namespace {

constexpr bool kTwoReadings = true, kOneReading = false;  // ChartKind::differs_as_script
constexpr bool kOfScript = true, kOwnChart = false;       // ChartKind::of_script
constexpr bool kOfRequests = true, kOfAll = false;        // ChartKind::of_requests
constexpr bool kOfWholeRun = false;                       // ChartKind::follows_area: these charts compare steps with each other

using RolloutCharts = std::vector<Chart> (*)(const Rollout&, const ChartQuestion&);

template <RolloutCharts kMake>
std::vector<Chart> of_rollout(const RunData& data, const ChartQuestion& question) {
  return kMake(*data.rollout, question);
}

template <auto kControls>
std::vector<ChartControl> set_rollout(const RunData& data, const ChartSettings& settings) {
  return kControls(*data.rollout, settings);
}

constexpr ChartKind kCharts[] = {
    {"training", "Training", "Where does the time of a training step go, and does throughput fall?", ChartScope::Run,
     training_charts, kTwoReadings, kOfScript, kOfAll, training_controls, RunPart::Training},
    {"training_steps", "Step times", "What did each training step spend its time on?", ChartScope::Run, training_step_charts,
     kOneReading, kOwnChart, kOfAll, training_controls, RunPart::Training},
    {"metrics", "Metrics", "How did a metric change during the training?", ChartScope::Run, metric_charts, kOneReading, kOwnChart,
     kOfAll, metric_controls, RunPart::Training},
    {"pipeline", "Pipeline", "How long are the stages of a pipeline idle, and which one holds up the others?",
     ChartScope::Run, charts_of_pipelines, kOneReading, kOwnChart, kOfAll, pipeline_controls, RunPart::Pipeline},
    {"gpu", "GPU", "What do the GPUs do over time, and how long are they idle?", ChartScope::Run, gpu_charts, kOneReading,
     kOwnChart, kOfAll, gpu_controls, RunPart::Gpu},
    {"gpu_gaps", "GPU gaps", "When was a GPU idle, and what did the CPU do meanwhile?", ChartScope::Run, gpu_gap_charts,
     kOneReading, kOwnChart, kOfAll, gpu_gap_controls, RunPart::Gpu},
    {"kernels", "Kernels", "Which kernels, calls, copies and ranges take the time?", ChartScope::Run, gpu_summary_charts,
     kOneReading, kOwnChart, kOfAll, gpu_summary_controls, RunPart::Gpu},
    {"owners", "Owners", "Which operator, module or marked range does the GPUs' time belong to?", ChartScope::Run, owner_charts,
     kOneReading, kOwnChart, kOfAll, owner_controls, RunPart::Gpu},
    {"durations", "Durations", "How long do slices of the selected name take, and is there a long tail?",
     ChartScope::Run, duration_charts, kOneReading, kOwnChart, kOfAll, duration_controls, RunPart::Slices},
    {"differences", "Differences", "What takes longer in one file, rank or worker than in another, what is new, what is gone?",
     ChartScope::Run, difference_charts, kOneReading, kOwnChart, kOfAll, difference_controls, RunPart::Slices},
    {"log_differences", "Logs compared", "Do the metrics of two training logs differ, or is it chance?", ChartScope::Run,
     training_difference_charts, kOneReading, kOwnChart, kOfAll, training_difference_controls, RunPart::Training},
    {"nccl_overlap", "Communication", "How much communication is not hidden behind computing?", ChartScope::Run,
     gpu_overlap_charts, kOneReading, kOwnChart, kOfAll, gpu_overlap_controls, RunPart::Gpu},
    {"sync", "Sync", "Where does the CPU wait for the GPU, and for what?", ChartScope::Run, api_wait_charts, kOneReading,
     kOwnChart, kOfAll, nullptr, RunPart::Gpu},
    {"launch_delay", "Launch delay", "Do launches queue up, or does the GPU wait for them?", ChartScope::Run,
     launch_delay_charts, kOneReading, kOwnChart, kOfAll, nullptr, RunPart::Gpu},
    {"pace", "Pace", "Are iterations equally long, on all ranks?", ChartScope::Run, pace_charts, kOneReading, kOwnChart, kOfAll,
     pace_controls, RunPart::Gpu},
    {"gpu_steps", "GPU steps", "What did the GPUs do in each step: computing, communicating, copying, nothing?", ChartScope::Run,
     gpu_step_charts, kOneReading, kOwnChart, kOfAll, gpu_step_controls, RunPart::Gpu},
    {"steps", "Steps", "Which step was slow, and is it the rollout or the training?", ChartScope::Run,
     of_rollout<step_overview_charts>, kTwoReadings, kOfScript, kOfAll, nullptr, RunPart::Rollout, kOfWholeRun},
    {"workers", "Workers", "Who held the barrier in this step, and who waited?", ChartScope::Step, of_rollout<worker_phase_charts>,
     kTwoReadings, kOfScript, kOfAll},
    {"cdf", "CDF", "Is there a long tail, and in which step and worker?", ChartScope::Step, of_rollout<request_cdf_charts>,
     kOneReading, kOfScript, kOfRequests, set_rollout<request_cdf_controls>},
    {"requests", "Requests", "Why are the slowest requests of this worker slow?", ChartScope::Step,
     of_rollout<request_breakdown_charts>, kTwoReadings, kOfScript, kOfRequests},
    {"turn_cost", "Turn cost", "Do later turns cost more?", ChartScope::Run, of_rollout<turn_cost_charts>, kTwoReadings, kOfScript,
     kOfRequests},
    {"turns", "Turns", "How many turns do requests take, and does that drift?", ChartScope::Run,
     of_rollout<turn_distribution_charts>, kOneReading, kOfScript, kOfRequests},
    {"heat_map", "Heat map", "Are workers uneven by design or by accident?", ChartScope::Run, of_rollout<heat_map_charts>,
     kOneReading, kOwnChart, kOfRequests},
    {"in_flight", "In flight", "What happened over time: requests, tokens, completions?", ChartScope::Step,
     of_rollout<in_flight_charts>, kOneReading, kOwnChart, kOfRequests},
    {"scatter", "Scatter", "How do engine, tools, length and turns correlate?", ChartScope::Step, of_rollout<scatter_charts>,
     kOneReading, kOwnChart, kOfRequests},
    {"groups", "Groups", "Does the slowest sibling of a prompt dominate?", ChartScope::Run, of_rollout<group_charts>, kOneReading,
     kOwnChart, kOfRequests, set_rollout<group_controls>},
    {"blame", "Blame", "Who made the others wait, and what did it cost?", ChartScope::Run, of_rollout<blame_charts>, kOneReading,
     kOwnChart, kOfAll},
    {"what_if", "What if", "What would truncating or dropping the tail save?", ChartScope::Run, of_rollout<what_if_charts>,
     kOneReading, kOwnChart, kOfAll, set_rollout<what_if_controls>, RunPart::Rollout, kOfWholeRun},
    {"compare", "Compare", "Do two steps, workers, runs or selections differ, or is it chance?", ChartScope::Step,
     of_rollout<compare_charts>, kOneReading, kOwnChart, kOfRequests, set_rollout<compare_controls>},
    {"event_share", "Shares", "What do the steps spend their time on?", ChartScope::Run, of_rollout<event_share_charts>,
     kTwoReadings, kOfScript, kOfAll, nullptr, RunPart::Rollout, kOfWholeRun},
};

// Limits the charts to the question's area if they follow areas. Their titles name the area, or say that it has no effect.
std::vector<Chart> charts_of_question(const ChartKind& kind, const RunData& data, const ChartQuestion& question) {
  if (!question.area) return kind.make(data, question);
  const bool as_script = question.as_script && kind.differs_as_script;
  std::string area_text;
  std::vector<Chart> charts;
  if (!kind.follows_area || (as_script && kind.of == RunPart::Training)) {
    charts = kind.make(data, question);
    area_text = fmt::format("all data, not only {}", words_of(*question.area));
  } else {
    ThreadPool pool = background_pool();
    const ScopedRun part = run_within(data, *question.area, kind.of, pool);
    charts = kind.make(part.data, question);
    area_text = part.area_text;
  }
  for (Chart& chart : charts) {
    const std::string& scope = chart.scope.empty() ? area_text : chart.scope;
    if (!scope.empty()) chart.title += ", " + scope;
  }
  return charts;
}

}  // namespace

std::span<const ChartKind> chart_kinds() { return kCharts; }

bool ChartKind::has_two_readings(const RunData& data) const {
  if (!differs_as_script || of != RunPart::Training || !data.training) return differs_as_script;
  const MetricLog& log = data.training->log();
  return std::ranges::any_of(data.training->runs, [&](const TrainingRun& run) {
    return data.training->trace->sources[log.files[run.file].source].format.starts_with("verl");
  });
}

std::vector<Chart> make_charts(const ChartKind& kind, const RunData& data, const ChartQuestion& question) {
  std::vector<Chart> charts = charts_of_question(kind, data, question);
  for (Chart& chart : charts) {
    tell_apart(chart);
    if (kind.of_requests && !question.only.empty()) chart.title += ", where " + question.only;
  }
  return charts;
}

std::vector<ChartControl> all_controls(const RunData& data, const ChartSettings& settings) {
  std::vector<ChartControl> out;
  for (const ChartKind& kind : kCharts) {
    if (!kind.controls || !data.has(kind.of)) continue;
    for (ChartControl& control : kind.controls(data, settings)) {
      if (std::ranges::find(out, control.setting, &ChartControl::setting) == out.end()) out.push_back(std::move(control));
    }
  }
  return out;
}

}  // namespace tv
