#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/analysis/rollout/blame.h"
#include "core/analysis/rollout/rollout_parts.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/rollout/charts_run.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

constexpr int kBarrierColor = 9, kCulpritColor = 5;
constexpr std::string_view kNoWaits = "No waits: no step has a barrier_wait_duration line and more than one worker";
constexpr std::string_view kBlameNote =
    "Every barrier wait of a step is blamed on the worker whose generation ended last, and on the request of this worker that "
    "ended last. The unit is worker-seconds: the waits of all workers added up, without that of the culprit itself. If the "
    "culprit's file is missing, the last worker that is known is blamed; waits that go on after its last request are a sign "
    "of this.";

std::string worker_text(const Rollout& rollout, std::uint32_t worker) {
  return fmt::format("worker {}", rollout.workers[worker]);
}

ChartCell worker_seconds_cell(double lost) {
  return {fmt::format("{} worker-s", decimals(lost, 2)), lost, "worker-s"};
}

double worker_seconds(const Rollout& rollout, const ChartQuestion& question) {
  const std::vector<bool> in_area = steps_in_area(rollout, question);
  double sum = 0;
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    if (!in_area[s]) continue;
    sum += to_seconds(rollout.steps[s].extent.length()) * static_cast<double>(worker_count(files_of_step(rollout, s)));
  }
  return sum;
}

ChartTable ledger_table(const Rollout& rollout, const BlameLedger& ledger) {
  ChartTable table;
  table.columns = {{"step"},
                   {"lost (worker-s)", true},
                   {"waited for"},
                   {"held", true},
                   {"last request"},
                   {"its duration", true},
                   {"turns", true},
                   {"longest wait", true},
                   {"of it after its end", true}};
  for (const Blame& entry : ledger.entries) {
    table.rows.push_back(
        {rollout.step_name(entry.step), number_cell(entry.lost, 2), worker_text(rollout, entry.worker),
         in_words(count_text(entry.waits.size(), "wait"), count_cell(entry.waits.size())),
         name_cell(short_id(rollout.id(entry.request)), rollout.id(entry.request)),
         seconds_cell(rollout.seconds[entry.request]), said_cell(rollout.turns[entry.request]),
         seconds_cell(entry.waits.empty() ? 0 : entry.waits.front().seconds), seconds_cell(entry.after)});
    table.targets.push_back(request_target(entry.request));
  }
  return table;
}

Chart by_step(const Rollout& rollout, const BlameLedger& ledger, const ChartQuestion& question) {
  Chart chart;
  chart.id = "blame";
  chart.title = "Time lost at the barrier by step, and for whom";
  chart.note = kBlameNote;
  const StepAxis steps = step_axis(rollout);
  chart.x = steps.axis;
  chart.y.title = "lost (worker-seconds)";
  chart.y.unit = ChartUnit::Seconds;
  ChartSeries& bars = chart.series.emplace_back();
  bars.mark = ChartSeries::Mark::Bars;
  bars.color = kBarrierColor;
  bars.hatched = true;
  std::vector<const Blame*> in_order;
  for (const Blame& entry : ledger.entries) in_order.push_back(&entry);
  std::ranges::sort(in_order, {}, [](const Blame* entry) { return entry->step; });
  for (const Blame* entry : in_order) {
    bars.x.push_back(steps.x[entry->step]);
    bars.y.push_back(entry->lost);
    bars.targets.push_back(step_target(entry->step));
    bars.labels.push_back(worker_text(rollout, entry->worker));
    bars.labels_are_names = true;
  }
  chart.table = ledger_table(rollout, ledger);
  const double worker_time = worker_seconds(rollout, question);
  const Blame& worst = ledger.entries.front();
  chart.facts = {{"lost", worker_seconds_cell(ledger.lost)},
                 {"of all worker time", percent_cell(worker_time > 0 ? 100 * ledger.lost / worker_time : 0)},
                 {"worst", in_words(fmt::format("{}, {}: {} worker-s", rollout.step_name(worst.step),
                                                worker_text(rollout, worst.worker), decimals(worst.lost, 2)),
                                    worker_seconds_cell(worst.lost))}};
  return chart;
}

// Shows whether it is always the same worker that the others wait for.
Chart by_worker(const Rollout& rollout, const BlameLedger& ledger) {
  Chart chart;
  chart.id = "blame_by_worker";
  chart.title = "Time lost at the barrier by the worker that was waited for";
  chart.note = std::string(kBlameNote) +
               " If the others always wait for the same worker, it has too much work; if the worker varies, it is chance.";
  chart.x.title = "worker that was waited for";
  chart.y.title = "lost (worker-seconds)";
  chart.y.unit = ChartUnit::Seconds;
  std::vector<double> lost(rollout.workers.size(), 0);
  std::vector<std::size_t> times(rollout.workers.size(), 0);
  for (const Blame& entry : ledger.entries) {
    lost[entry.worker] += entry.lost;
    ++times[entry.worker];
  }
  ChartSeries& bars = chart.series.emplace_back();
  bars.mark = ChartSeries::Mark::Bars;
  bars.color = kCulpritColor;
  ChartTable& table = chart.table.emplace();
  table.columns = {{"worker"}, {"steps that waited for it", true}, {"lost (worker-s)", true}};
  for (std::uint32_t w = 0; w < lost.size(); ++w) {
    const auto filter = static_cast<std::uint32_t>(chart.filters.size());
    chart.filters.push_back(fmt::format("worker=={}", rollout.workers[w]));
    chart.x.categories.push_back(std::to_string(rollout.workers[w]));
    bars.x.push_back(static_cast<double>(w));
    bars.y.push_back(lost[w]);
    bars.labels.push_back(decimals(lost[w], 2));
    bars.targets.push_back({ChartTarget::Kind::Filter, filter});
    table.rows.push_back({worker_text(rollout, w), count_cell(times[w]), number_cell(lost[w], 2)});
    table.targets.push_back({ChartTarget::Kind::Filter, filter});
  }
  return chart;
}

Chart of_step(const Rollout& rollout, std::uint32_t step) {
  const std::string title = "Who waited for whom, " + rollout.step_name(step);
  const auto entry = blame_of_step(rollout, step);
  if (!entry) {
    return empty_chart("blame_step", title, "No waits in this step: it has one worker, no requests or no barrier lines");
  }
  Chart chart;
  chart.id = "blame_step";
  chart.title = title;
  chart.note = kBlameNote;
  chart.x.title = "worker";
  chart.y.title = "barrier wait (s)";
  chart.y.unit = ChartUnit::Seconds;
  chart.y.from_zero = true;
  ChartSeries waits, culprit;
  waits.name = "waits";
  waits.color = kBarrierColor;
  waits.hatched = true;
  culprit.name = "was waited for";
  culprit.color = kCulpritColor;
  waits.mark = culprit.mark = ChartSeries::Mark::Bars;
  std::vector<double> of_worker(rollout.workers.size(), 0);
  for (const auto* list : {&entry->waits, &entry->culprit_waits}) {
    for (const BarrierWait& wait : *list) of_worker[rollout.worker_steps[wait.worker_step].worker] += wait.seconds;
  }
  for (const WorkerStep& file : files_of_step(rollout, step)) {
    const auto worker = static_cast<double>(chart.x.categories.size());
    const std::string name = std::to_string(rollout.workers[file.worker]);
    if (!chart.x.categories.empty() && chart.x.categories.back() == name) continue;
    chart.x.categories.push_back(name);
    ChartSeries& series = file.worker == entry->worker ? culprit : waits;
    series.x.push_back(worker);
    series.y.push_back(of_worker[file.worker]);
    series.targets.push_back(worker_step_target(worker_step_index(rollout, file)));
  }
  chart.series = {std::move(waits), std::move(culprit)};
  chart.facts = {{"waited for", worker_text(rollout, entry->worker)},
                 {"its last request", name_cell(short_id(rollout.id(entry->request)), rollout.id(entry->request))},
                 {"which lasted", seconds_cell(rollout.seconds[entry->request])},
                 {"lost", worker_seconds_cell(entry->lost)},
                 {"after its end", seconds_cell(entry->after)}};
  chart.table = ledger_table(rollout, {{*entry}, entry->lost});
  return chart;
}

}  // namespace

std::vector<Chart> blame_charts(const Rollout& rollout, const ChartQuestion& question) {
  BlameLedger ledger = blame(rollout);
  if (ledger.entries.empty()) return {empty_chart("blame", "Time lost at the barrier", std::string(kNoWaits))};
  const std::string scope = steps_in_area_words(rollout, question);
  const std::vector<bool> in_area = steps_in_area(rollout, question);
  std::erase_if(ledger.entries, [&](const Blame& entry) { return !in_area[entry.step]; });
  ledger.lost = std::accumulate(ledger.entries.begin(), ledger.entries.end(), 0.0,
                                [](double sum, const Blame& entry) { return sum + entry.lost; });
  if (ledger.entries.empty()) {
    return {empty_chart("blame", "Time lost at the barrier, " + scope, "No waits in these steps")};
  }
  // If no step is in question, shows the one that lost the most.
  const bool asked = question.step || question.request;
  const auto step = asked ? step_in_question(rollout, question) : ledger.entries.front().step;
  std::vector<Chart> charts = {by_step(rollout, ledger, question), of_step(rollout, step.value_or(ledger.entries.front().step))};
  charts.push_back(by_worker(rollout, ledger));
  for (Chart& chart : charts) chart.scope = scope;
  return charts;
}

}  // namespace tv
