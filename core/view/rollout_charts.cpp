#include "core/view/rollout_charts.h"

#include "core/view/charts_requests.h"

namespace tv {
namespace {

constexpr bool kTwoReadings = true, kOneReading = false;

constexpr ChartKind kCharts[] = {
    {"steps", "Steps", "Which step was slow, and is it the rollout or the training?", ChartScope::Run, step_overview_charts,
     kTwoReadings},
    {"workers", "Workers", "Who held the barrier in this step, and who waited?", ChartScope::Step, worker_phase_charts,
     kTwoReadings},
    {"cdf", "CDF", "Is there a long tail, and in which step and worker?", ChartScope::Step, request_cdf_charts, kOneReading},
    {"requests", "Requests", "Why are the slowest requests of this worker slow?", ChartScope::Step, request_breakdown_charts,
     kTwoReadings},
    {"turn_cost", "Turn cost", "Do later turns cost more?", ChartScope::Run, turn_cost_charts, kTwoReadings},
    {"turns", "Turns", "How many turns do requests take, and does that drift?", ChartScope::Run, turn_distribution_charts,
     kOneReading},
    {"event_share", "Shares", "What do the steps spend their time on?", ChartScope::Run, event_share_charts, kTwoReadings},
};

}  // namespace

std::span<const ChartKind> rollout_charts() { return kCharts; }

}  // namespace tv
