#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/rollout/worker_phases.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/rollout/charts_requests.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"

namespace tv {
namespace {

constexpr std::string_view kStackedNote =
    "What each worker did in this step, one event after the other; hatched is waiting at the barrier. ";
constexpr std::string_view kWorkersNote =
    "All totals are about the same, because all workers wait for the last one at the barrier. The last one waits least, and "
    "usually generated longest. An event that is logged several times counts with its sum; verl's per_step_all_workers.py "
    "shows only its last line, and draws a picture for each worker.";

std::string worker_name(const Rollout& rollout, const WorkerPhases& worker) {
  return fmt::format("worker {}", rollout.workers[worker.worker]);
}

/// Events of all workers: first those of kWorkerEvents, then the others in the order of their first occurrence.
std::vector<std::string_view> events_of(const StepPhases& step) {
  std::vector<std::string_view> events(kWorkerEvents.begin(), kWorkerEvents.end());
  for (const WorkerPhases& worker : step.workers) {
    for (const EventSeconds& event : worker.events) {
      if (std::ranges::find(events, event.event) == events.end()) events.push_back(event.event);
    }
  }
  std::erase_if(events, [&](std::string_view event) {
    return std::ranges::none_of(step.workers,
                                [&](const WorkerPhases& w) { return find_event(w.events, event) != nullptr; });
  });
  return events;
}

/// Draws a bar for each worker, with its events one after the other.
void stack(Chart& chart, const Rollout& rollout, const StepPhases& step) {
  chart.horizontal = true;
  chart.x.title = "time (s)";
  chart.x.unit = ChartUnit::Seconds;
  chart.x.from_zero = true;
  chart.y.title = "worker";
  for (const WorkerPhases& worker : step.workers) chart.y.categories.push_back(worker_name(rollout, worker));
  const auto add = [&](std::string name, int color, auto seconds_of) {
    ChartSeries series;
    series.name = std::move(name);
    series.mark = ChartSeries::Mark::Bars;
    series.color = color;
    for (std::size_t w = 0; w < step.workers.size(); ++w) {
      series.x.push_back(static_cast<double>(w));
      series.y.push_back(seconds_of(step.workers[w]));
      series.targets.push_back(worker_step_target(step.workers[w].worker_step));
    }
    chart.series.push_back(std::move(series));
  };
  for (const std::string_view event : events_of(step)) {
    // Only events that follow each other can be stacked; others may lie within these.
    if (event == kTotal || std::ranges::find(kWorkerEvents, event) == kWorkerEvents.end()) continue;
    add(event_title(event), event_color(event), [event](const WorkerPhases& worker) {
      const EventSeconds* found = find_event(worker.events, event);
      return found ? found->sum : 0.0;
    });
    chart.series.back().hatched = event == kBarrierWait;
  }
  add("in no event", kNeutralColor, [](const WorkerPhases& worker) {
    return std::max(std::isnan(worker.unaccounted) ? 0 : worker.unaccounted, 0.0);
  });
  chart.series.back().faint = true;
}

/// Draws bars of all events including the total, as the script does, but for all workers side by side.
void side_by_side(Chart& chart, const Rollout& rollout, const StepPhases& step) {
  const std::vector<std::string_view> events = events_of(step);
  chart.side_by_side = true;
  chart.x.title = "event";
  for (const std::string_view event : events) chart.x.categories.push_back(event_title(event));
  chart.y.title = "duration (s)";
  chart.y.unit = ChartUnit::Seconds;
  chart.y.from_zero = true;
  for (const WorkerPhases& worker : step.workers) {
    ChartSeries series;
    series.name = worker_name(rollout, worker);
    series.mark = ChartSeries::Mark::Bars;
    series.color = static_cast<int>(worker.worker);
    for (std::size_t e = 0; e < events.size(); ++e) {
      const EventSeconds* event = find_event(worker.events, events[e]);
      series.x.push_back(static_cast<double>(e));
      series.y.push_back(event ? event->last : kNotMeasured);
      series.targets.push_back(worker_step_target(worker.worker_step));
      series.labels.push_back(event ? fmt::format("{:.3f}", event->last) : std::string());
    }
    chart.series.push_back(std::move(series));
  }
}

ChartTable waits(const Rollout& rollout, const StepPhases& step, bool as_script) {
  ChartTable table;
  table.columns = {{"worker", false}, {"generated", true}, {"waited", true}, {"total", true}};
  if (as_script) {
    table.columns.push_back({"longest", false});
    table.columns.push_back({"shortest", false});
  } else {
    table.columns.push_back({"waited for", false});
  }
  for (std::size_t w = 0; w < step.workers.size(); ++w) {
    const WorkerPhases& worker = step.workers[w];
    std::vector<ChartCell> row = {worker_name(rollout, worker), seconds_cell(worker.generate),
                                  seconds_cell(worker.wait), seconds_cell(worker.total)};
    if (as_script) {
      for (const std::uint32_t e : {worker.longest, worker.shortest}) {
        row.push_back(worker.events.empty() ? "-" : fmt::format("{} ({})", event_title(worker.events[e].event),
                                                                 seconds_text(worker.events[e].last)));
      }
    } else {
      row.push_back(!step.last        ? "-"
                    : w == *step.last ? "the others waited for it"
                                      : worker_name(rollout, step.workers[*step.last]));
    }
    table.rows.push_back(std::move(row));
    table.targets.push_back(worker_step_target(worker.worker_step));
  }
  return table;
}

}  // namespace

std::vector<Chart> worker_phase_charts(const Rollout& rollout, const ChartQuestion& question) {
  const auto step = step_in_question(rollout, question);
  if (!step) return {empty_chart("worker_phases", "Phases of the workers", "There are no steps")};
  const StepPhases phases = worker_phases(rollout, *step);
  Chart chart;
  chart.id = "worker_phases";
  chart.title = fmt::format("Phases of the workers, {} ({}{})", rollout.step_name(*step), count_text(phases.workers.size(), "worker"),
                            question.as_script ? ", as verl's script" : "");
  const bool any =
      std::ranges::any_of(phases.workers, [](const WorkerPhases& worker) { return !worker.events.empty(); });
  if (!any) return {empty_chart(chart.id, chart.title, "The logs of this step have no phases of workers")};
  chart.note = std::string(question.as_script ? "" : kStackedNote).append(kWorkersNote);
  chart.scope = steps_in_area_words(rollout, question);
  if (question.as_script) {
    side_by_side(chart, rollout, phases);
  } else {
    stack(chart, rollout, phases);
  }
  chart.table = waits(rollout, phases, question.as_script);
  if (phases.slowest) {
    chart.facts = {{"waited for", worker_name(rollout, phases.workers[*phases.last])},
                   {"by", in_words(count_text(phases.waiting, "worker"), count_cell(phases.waiting))},
                   {"waited in all", seconds_cell(phases.waited)},
                   {"generated longest", worker_name(rollout, phases.workers[*phases.slowest])}};
  }
  return {std::move(chart)};
}

}  // namespace tv
