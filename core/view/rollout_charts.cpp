#include "core/view/rollout_charts.h"

#include <algorithm>

#include "core/view/charts_requests.h"
#include "core/view/charts_run.h"

namespace tv {
namespace {

constexpr bool kTwoReadings = true, kOneReading = false, kOfScript = true;

constexpr ChartKind kCharts[] = {
    {"steps", "Steps", "Which step was slow, and is it the rollout or the training?", ChartScope::Run, step_overview_charts,
     kTwoReadings, kOfScript},
    {"workers", "Workers", "Who held the barrier in this step, and who waited?", ChartScope::Step, worker_phase_charts,
     kTwoReadings, kOfScript},
    {"cdf", "CDF", "Is there a long tail, and in which step and worker?", ChartScope::Step, request_cdf_charts, kOneReading, kOfScript, request_cdf_controls},
    {"requests", "Requests", "Why are the slowest requests of this worker slow?", ChartScope::Step, request_breakdown_charts,
     kTwoReadings, kOfScript},
    {"turn_cost", "Turn cost", "Do later turns cost more?", ChartScope::Run, turn_cost_charts, kTwoReadings, kOfScript},
    {"turns", "Turns", "How many turns do requests take, and does that drift?", ChartScope::Run, turn_distribution_charts,
     kOneReading, kOfScript},
    {"heat_map", "Heat map", "Are workers uneven by design or by accident?", ChartScope::Run, heat_map_charts, kOneReading},
    {"in_flight", "In flight", "What went on over time: requests, tokens, completions?", ChartScope::Step, in_flight_charts,
     kOneReading},
    {"scatter", "Scatter", "What goes with what: engine, tools, length, turns?", ChartScope::Step, scatter_charts, kOneReading},
    {"groups", "Groups", "Does the slowest sibling of a prompt dominate?", ChartScope::Run, group_charts, kOneReading, false, group_controls},
    {"blame", "Blame", "Who made the others wait, and what did it cost?", ChartScope::Run, blame_charts, kOneReading},
    {"what_if", "What if", "What would truncating or dropping the tail save?", ChartScope::Run, what_if_charts, kOneReading, false, what_if_controls},
    {"compare", "Compare", "Does it differ, or is it chance? Two steps, workers, runs or selections", ChartScope::Step,
     compare_charts, kOneReading, false, compare_controls},
    {"event_share", "Shares", "What do the steps spend their time on?", ChartScope::Run, event_share_charts, kTwoReadings, kOfScript},
};

}  // namespace

std::span<const ChartKind> rollout_charts() { return kCharts; }

std::vector<ChartControl> all_controls(const Rollout& rollout, const ChartSettings& settings) {
  std::vector<ChartControl> out;
  for (const ChartKind& kind : kCharts) {
    if (!kind.controls) continue;
    for (ChartControl& control : kind.controls(rollout, settings)) {
      if (std::ranges::find(out, control.setting, &ChartControl::setting) == out.end()) out.push_back(std::move(control));
    }
  }
  return out;
}

}  // namespace tv
