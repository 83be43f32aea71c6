// Where the CPU waits for the GPU, and how long launches wait for it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/analysis/gpu/api_waits.h"
#include "core/analysis/gpu/gpu_launches.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/words/number_words.h"

namespace tv {
namespace {

constexpr std::string_view kWaitSumNote =
    "Time in calls that block until the GPU has caught up: ...Synchronize, copies that are not Async, freeing memory. \"for "
    "work\" counts the calls during which work on a GPU of the process ended, so that there was something to wait for.";
constexpr std::string_view kWaitNote =
    "\"waited for\" is the work on the process's GPUs that ended last before the call returned, if it ended after the call "
    "began; this is inferred. \"after that\" is the time from this end until the call returned.";
constexpr std::string_view kDelayNote =
    "From the end of the launching call to the begin on the GPU; 0, drawn at 0.1 \u00b5s, if the work began before the call "
    "returned. If all delays are short, the GPU finishes before the next launch, so the CPU is the bottleneck. If they are "
    "long, launches queue up because the GPU is behind. Kernels of one CUDA graph count from the graph's launch.";
constexpr std::size_t kWaitBars = 12, kMostWaitRows = 500, kDelayPoints = 400;

Chart wait_sums(const Trace& trace, const ApiWaits& waits) {
  Chart chart;
  chart.id = "sync";
  const Ns total = std::accumulate(waits.sums.begin(), waits.sums.end(), Ns{0},
                                   [](Ns sum, const ApiWaitSum& one) { return sum + one.total; });
  chart.title = fmt::format("Calls that wait for the GPU: {} in {} calls", format_duration(total),
                            format_count(waits.waits.size()));
  chart.note = kWaitSumNote;
  chart.x.title = "time in them (s)";
  chart.x.unit = ChartUnit::Seconds;
  ChartTable& table = chart.table.emplace();
  table.columns = {{"call"},      {"times", true},    {"total", true}, {"mean", true},
                   {"max", true}, {"for work", true}, {"thread"}};
  std::vector<std::string> rows;
  const bool several_processes = idx(trace.lanes.front().subtree_end) < trace.lanes.size();
  for (const ApiWaitSum& sum : waits.sums) {
    const std::string call(trace.labels.name(sum.label)), thread = thread_text(trace, sum.thread);
    const LaneId process = outermost_group(trace, sum.thread);
    if (rows.size() < kWaitBars) {
      // A bar has little room for its name: the process matters more than the thread.
      rows.push_back(fmt::format("{}, {}", call, several_processes ? trace.lane(process).name : thread));
    }
    table.rows.push_back({call, count_cell(sum.count), duration_cell(sum.total),
                          ns_cell(static_cast<double>(sum.total) / static_cast<double>(sum.count)),
                          duration_cell(sum.max), count_cell(sum.for_work), thread});
    table.targets.push_back(name_target(chart, trace, sum.longest));
  }
  const std::vector<ChartTarget> targets(table.targets.begin(),
                                         table.targets.begin() + static_cast<std::ptrdiff_t>(rows.size()));
  add_bars(
      chart, rows, {{"", kExposedColor, false, [&](std::size_t i) { return to_seconds(waits.sums[i].total); }}},
      [](double value) { return seconds_text(value); }, targets);
  return chart;
}

Chart longest_waits(const Trace& trace, const ApiWaits& waits) {
  Chart chart;
  chart.id = "sync_waits";
  chart.title = "The longest calls, and what they waited for";
  chart.note = kWaitNote;
  ChartTable& table = chart.table.emplace();
  table.columns = {{"length", true}, {"from", true}, {"call"}, {"waited for"}, {"after that", true}, {"thread"}};
  for (std::size_t i = 0; i < std::min(waits.waits.size(), kMostWaitRows); ++i) {
    const ApiWait& wait = waits.waits[i];
    const bool found = wait.waited_for != kNone<SliceId>;
    table.rows.push_back({duration_cell(trace.duration_of(wait.call)),
                          time_cell(trace.begin_of(wait.call)), slice_cell(trace, wait.call),
                          slice_cell(trace, wait.waited_for, 48),
                          found ? duration_cell(wait.after) : ChartCell("-", NAN, "ns"),
                          thread_text(trace, thread_group(trace, trace.row(trace.row_of(wait.call)).lane))});
    table.targets.push_back(slice_target(chart, trace, wait.call));
  }
  return chart;
}

// Draws at most kDelayPoints delays, evenly spaced by index, with the first and the last: more cannot be distinguished.
ChartSeries delay_curve(Chart& chart, const Trace& trace, const Gpu& gpu, const GpuLaunches& launches, int color) {
  ChartSeries curve;
  curve.name = gpu.name;
  curve.color = color;
  const std::size_t n = launches.delays.size(), points = std::min(n, kDelayPoints);
  for (std::size_t p = 0; p < points; ++p) {
    const std::size_t i = points == 1 ? 0 : p * (n - 1) / (points - 1);
    const LaunchDelay& one = launches.delays[i];
    curve.x.push_back(to_seconds(std::max<Ns>(one.delay, kMicrosecond / 10)));  // a logarithmic axis has no 0
    curve.y.push_back(100 * static_cast<double>(i + 1) / static_cast<double>(n));
    curve.targets.push_back(slice_target(chart, trace, one.slice));
  }
  return curve;
}

}  // namespace

std::vector<Chart> api_wait_charts(const RunData& data, const ChartQuestion&) {
  const ApiWaits waits = api_waits(*data.gpu);
  if (waits.waits.empty()) {
    return {
        empty_chart("sync", "Calls that wait for the GPU", "The trace has no call of the API that waits for a GPU")};
  }
  std::vector<Chart> charts;
  charts.push_back(wait_sums(*data.gpu->trace, waits));
  charts.push_back(longest_waits(*data.gpu->trace, waits));
  if (data.gpu->scope) {
    for (Chart& chart : charts) chart.scope = "in " + words_of(*data.gpu->scope, waits.on_lanes ? "" : "all threads");
  }
  return charts;
}

std::string why_no_launches(const Trace& trace) {
  const auto is_in_doubt = [](const SourceInfo& source) { return source.problems.count(ProblemKind::doubtful_launch) > 0; };
  return std::ranges::any_of(trace.sources, is_in_doubt)
             ? "No arrow leads from a launch to work on a GPU: calls of several ranks have the same ids"
             : "No arrow leads from a launch to work on a GPU: no launches were recorded, or they have no ids";
}

std::vector<Chart> launch_delay_charts(const RunData& data, const ChartQuestion&) {
  ThreadPool pool = background_pool();
  const GpuActivity& activity = *data.gpu;
  const std::vector<GpuLaunches> all = launch_delays(activity, pool);
  Chart chart;
  chart.id = "launch_delay";
  chart.title = "From a launch's return to its start on the GPU";
  chart.note = kDelayNote;
  chart.x.title = "launch delay (s)";
  chart.x.unit = ChartUnit::Seconds;
  chart.x.log = true;
  chart.y.title = "of the work that was launched (%)";
  chart.y.unit = ChartUnit::Percent;
  chart.y.least = 0;
  chart.y.most = 100;
  ChartTable& table = chart.table.emplace();
  table.columns = {{"GPU"},       {"launched", true}, {"median", true},          {"p90", true},
                   {"p99", true}, {"max", true},      {"before return %", true}, {"no launch known", true}};
  for (std::size_t g = 0; g < all.size(); ++g) {
    const GpuLaunches& launches = all[g];
    if (launches.delays.empty()) continue;
    chart.series.push_back(delay_curve(chart, *activity.trace, activity.gpus[g], launches, static_cast<int>(g)));
    const auto n = launches.delays.size();
    table.rows.push_back({activity.gpus[g].name, count_cell(n), ns_cell(delay_quantile(launches, 0.5)),
                          ns_cell(delay_quantile(launches, 0.9)), ns_cell(delay_quantile(launches, 0.99)),
                          duration_cell(launches.delays.back().delay),
                          number_cell(percent_of(static_cast<Ns>(launches.before_return), static_cast<Ns>(n)), 1),
                          count_cell(launches.without_launch)});
    table.targets.push_back(slice_target(chart, *activity.trace, launches.delays.back().slice));
  }
  if (chart.series.empty()) {
    return {empty_chart(chart.id, chart.title, why_no_launches(*activity.trace))};
  }
  std::vector<Chart> charts;
  charts.push_back(std::move(chart));
  return charts;
}

}  // namespace tv
