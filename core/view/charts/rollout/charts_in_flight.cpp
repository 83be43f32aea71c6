#include <fmt/format.h>

#include "core/analysis/rollout/in_flight.h"
#include "core/analysis/rollout/rollout_parts.h"
#include "core/analysis/rollout/worker_phases.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/rollout/charts_run.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

constexpr std::size_t kBins = 400;
constexpr std::size_t kNamedLines = 10;  // if there are more lines, all are faint and without names

constexpr std::string_view kInFlightNote =
    "Means over 400 equal parts of the step. A request is under way from its begin to its end. The tokens of a turn are "
    "spread evenly over its engine call, [end - engine_call_duration, end] of its turn_engine_call line. Requests that never "
    "completed are left out. If many are under way, but there are no tokens and no completions, the worker is stalled; if "
    "none is under way, it is idle.";

constexpr std::size_t kPhaseBins = 200;
constexpr std::string_view kPhasesInFlightNote =
    "How many workers are in each phase, as means over 200 equal parts of the step. A phase is at [end - duration, end] of "
    "its line. Hatched workers wait at the barrier. Workers that are missing are in no phase.";

enum class Shown { InFlight, TokenRate, Completions };

struct OneWorker {
  std::uint32_t worker = 0, worker_step = 0;
  RequestSet requests;
};

StepFunction function_of(const Rollout& rollout, const RequestSet& requests, Shown shown) {
  switch (shown) {
    case Shown::InFlight: return requests_in_flight(rollout, requests);
    case Shown::TokenRate: return token_rate(rollout, requests);
    case Shown::Completions: break;
  }
  return completions(rollout, requests);
}

// Seconds since the step's beginning.
void set_time_axis(Chart& chart, TimeRange range) {
  chart.x.title = "time since the step's beginning (s)";
  chart.x.unit = ChartUnit::Seconds;
  chart.x.least = 0;
  chart.x.most = to_seconds(range.length());
  chart.time = ChartTime{static_cast<double>(range.begin), 1e9, {}};
}

std::vector<double> bin_middles(TimeRange range, std::size_t bins) {
  std::vector<double> out;
  for (std::size_t b = 0; b < bins; ++b) {
    const TimeRange bin = bin_of(range, bins, b);
    out.push_back(to_seconds(bin.begin + bin.length() / 2 - range.begin));
  }
  return out;
}

Chart lines(const Rollout& rollout, const std::vector<OneWorker>& workers, std::uint32_t step, Shown shown) {
  Chart chart;
  const TimeRange range = rollout.steps[step].extent;
  for (const OneWorker& one : workers) {
    const StepFunction function = function_of(rollout, one.requests, shown);
    if (function.time.empty()) continue;
    ChartSeries series;
    series.color = static_cast<int>(one.worker);
    if (workers.size() <= kNamedLines) series.name = fmt::format("worker {}", rollout.workers[one.worker]);
    series.faint = workers.size() > kNamedLines;
    series.y = bin_means(function, range, kBins);
    series.x = bin_middles(range, kBins);
    series.targets.assign(kBins, worker_step_target(one.worker_step));
    chart.series.push_back(std::move(series));
  }
  chart.note = kInFlightNote;
  set_time_axis(chart, range);
  chart.y.from_zero = true;
  return chart;
}

// Makes a row for each worker: the longest time without a completion, and whether the worker was stalled or busy then.
ChartTable stall_table(const Rollout& rollout, const std::vector<OneWorker>& workers, std::uint32_t step) {
  ChartTable table;
  table.columns = {{"worker"},     {"requests", true},       {"longest without a completion", true},
                   {"from", true}, {"under way then", true}, {"tokens/s then", true}};
  for (const OneWorker& one : workers) {
    const Stall stall = longest_stall(rollout, one.requests);
    const double length = to_seconds(stall.between.length());
    const auto if_any = [length](double value) { return length > 0 ? value : NAN; };
    table.rows.push_back(
        {fmt::format("worker {}", rollout.workers[one.worker]), count_cell(one.requests.size()),
         seconds_cell(if_any(length)), seconds_cell(if_any(to_seconds(stall.between.begin - rollout.steps[step].extent.begin))),
         number_cell(if_any(stall.in_flight), 1), number_cell(if_any(stall.tokens / length), 1)});
    table.targets.push_back(worker_step_target(one.worker_step));
  }
  return table;
}

// Stacks the workers by their phase: a step whose workers end together is one block, a straggler a long hatched tail.
Chart phases_over_time(const Rollout& rollout, std::uint32_t step) {
  Chart chart;
  chart.id = "workers_in_phases";
  chart.note = kPhasesInFlightNote;
  const TimeRange range = rollout.steps[step].extent;
  set_time_axis(chart, range);
  chart.y.title = "workers";
  chart.y.unit = ChartUnit::Count;
  chart.y.from_zero = true;
  for (const WorkersInPhase& phase : workers_in_phases(rollout, step)) {
    ChartSeries series;
    series.name = event_title(phase.event);
    series.mark = ChartSeries::Mark::Bars;
    series.color = event_color(phase.event);
    series.hatched = phase.event == kBarrierWait;
    series.x = bin_middles(range, kPhaseBins);
    series.y = bin_means(phase.workers, range, kPhaseBins);
    chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) chart.empty = "No line of the log says how long a phase of a worker took";
  return chart;
}

}  // namespace

std::vector<Chart> in_flight_charts(const Rollout& rollout, const ChartQuestion& question) {
  const auto step = step_in_question(rollout, question);
  if (!step) return {empty_chart("in_flight", "Requests under way", "There are no steps")};
  ChartQuestion scope = question;
  scope.step = step;
  const RequestSet requests = requests_in_question(rollout, scope);
  const std::string where = scope_text(rollout, scope, requests.size());
  if (requests.empty()) return {empty_chart("in_flight", "Requests under way, " + where, std::string(kNoRequests))};

  std::vector<OneWorker> workers;
  for (const WorkerStep& file : files_of_step(rollout, *step)) {
    if (!workers.empty() && workers.back().worker == file.worker) continue;
    OneWorker one{file.worker, worker_step_index(rollout, file),
                  requests_of_worker(rollout, requests, file.worker)};
    if (!one.requests.empty()) workers.push_back(std::move(one));
  }
  std::vector<Chart> charts;
  Chart& flight = charts.emplace_back(lines(rollout, workers, *step, Shown::InFlight));
  flight.id = "in_flight";
  flight.title = "Requests under way by worker, " + where;
  flight.y.title = "requests under way";
  flight.y.unit = ChartUnit::Count;
  flight.table = stall_table(rollout, workers, *step);

  Chart& rate = charts.emplace_back(lines(rollout, workers, *step, Shown::TokenRate));
  rate.id = "token_rate";
  rate.title = "Tokens generated per second by worker, " + where;
  rate.y.title = "tokens/s";
  rate.y.unit = ChartUnit::TokensPerSecond;
  if (rate.series.empty()) rate.empty = "No line of the log says when an engine call ended and how many tokens it generated";

  Chart& done = charts.emplace_back(lines(rollout, workers, *step, Shown::Completions));
  done.id = "completions";
  done.title = "Requests completed by worker, " + where;
  done.y.title = "requests completed";
  done.y.unit = ChartUnit::Count;

  Chart& phases = charts.emplace_back(phases_over_time(rollout, *step));
  phases.title = fmt::format("Workers in each phase, {}", rollout.step_name(*step));
  phases.scope = steps_in_area_words(rollout, question);
  return charts;
}

}  // namespace tv
