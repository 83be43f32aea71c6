#include <fmt/format.h>

#include "core/view/charts/rollout/charts_run.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

constexpr std::string_view kStripesNote =
    " A stripe along a worker or a step comes from the workload, a single cell from chance. A cell has no colour if the "
    "worker has no file in that step, or nothing could be measured.";

}  // namespace

Chart heat_map_chart(const Rollout& rollout, const HeatMap& map, HeatMeasure measure) {
  const std::string id = fmt::format("heat_{}", word_of(measure));
  const std::string title = fmt::format("Steps x workers: {}", name(measure));
  if (map.worker_step.empty()) return empty_chart(id, title, "There are no steps");
  Chart chart;
  chart.id = id;
  chart.title = title;
  chart.note = std::string(meaning(measure)) + std::string(kStripesNote);
  chart.x.title = "step";
  for (std::uint32_t s = 0; s < map.steps; ++s) {
    chart.x.categories.push_back(rollout.runs.size() > 1 ? rollout.step_name(s)
                                                         : std::to_string(rollout.steps[s].step));
    chart.x.category_values.push_back(rollout.steps[s].step);
  }
  chart.y.title = "worker";
  for (const std::int32_t worker : rollout.workers) {
    chart.y.categories.push_back(std::to_string(worker));
    chart.y.category_values.push_back(worker);
  }
  if (rollout.runs.size() == 1) {  // else a step number is ambiguous
    chart.x.field = "step";
    chart.y.field = "worker";
  }
  ChartCells& cells = chart.cells.emplace();
  cells.name = name(measure);
  cells.value = map.of(measure);
  for (const std::uint32_t worker_step : map.worker_step) {
    cells.targets.push_back(worker_step == HeatMap::kNoFile ? ChartTarget() : worker_step_target(worker_step));
  }
  return chart;
}

std::vector<Chart> heat_map_charts(const Rollout& rollout, const ChartQuestion& question) {
  const HeatMap map = heat_map(rollout, question.requests);
  std::vector<Chart> charts;
  for (std::size_t m = 0; m < kHeatMeasures; ++m) {
    charts.push_back(heat_map_chart(rollout, map, static_cast<HeatMeasure>(m)));
    if (question.area) charts.back().scope = question.in_area;
  }
  return charts;
}

}  // namespace tv
