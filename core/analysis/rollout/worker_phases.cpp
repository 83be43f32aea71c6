#include "core/analysis/rollout/worker_phases.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/rollout/rollout_parts.h"

namespace tv {

std::vector<EventSeconds> event_seconds(const RolloutLog& log, std::span<const std::uint32_t> phases) {
  std::vector<EventSeconds> out;
  for (const std::string_view event : kWorkerEvents) out.push_back({event});
  for (const std::uint32_t p : phases) {
    const RolloutPhase& phase = log.phases[p];
    if (std::isnan(phase.seconds)) continue;
    const std::string_view event = log.text(phase.event);
    auto known = std::ranges::find(out, event, &EventSeconds::event);
    if (known == out.end()) {
      if (event.find("duration") == std::string_view::npos) continue;
      out.push_back({event});
      known = out.end() - 1;
    }
    known->last = phase.seconds;
    known->sum += phase.seconds;
    ++known->count;
  }
  std::erase_if(out, [](const EventSeconds& event) { return event.count == 0; });
  return out;
}

const EventSeconds* find_event(std::span<const EventSeconds> events, std::string_view event) {
  const auto found = std::ranges::find(events, event, &EventSeconds::event);
  return found == events.end() ? nullptr : &*found;
}

namespace {

double sum_of(std::span<const EventSeconds> events, std::string_view event) {
  const EventSeconds* found = find_event(events, event);
  return found ? found->sum : kNotMeasured;
}

/// The part of the total that no event covers. The events of kWorkerEvents follow each other; others may lie within them.
double unaccounted(const WorkerPhases& worker) {
  double rest = worker.total;
  for (const EventSeconds& event : worker.events) {
    const bool part = event.event != kTotal && std::ranges::find(kWorkerEvents, event.event) != kWorkerEvents.end();
    if (part) rest -= event.sum;
  }
  return rest;
}

WorkerPhases phases_of(const Rollout& rollout, std::uint32_t index) {
  const WorkerStep& file = rollout.worker_steps[index];
  WorkerPhases out;
  out.worker_step = index;
  out.worker = file.worker;
  out.events = event_seconds(rollout.log(), file.phases);
  out.generate = sum_of(out.events, kGenerate);
  out.wait = sum_of(out.events, kBarrierWait);
  out.total = sum_of(out.events, kTotal);
  out.unaccounted = unaccounted(out);
  const auto [least, most] = std::ranges::minmax_element(out.events, {}, &EventSeconds::last);
  // minmax_element takes the last of equal largest ones; the script's max() takes the first.
  if (!out.events.empty()) {
    out.shortest = static_cast<std::uint32_t>(least - out.events.begin());
    out.longest = static_cast<std::uint32_t>(std::ranges::find(out.events, most->last, &EventSeconds::last) -
                                             out.events.begin());
  }
  return out;
}

}  // namespace

StepPhases worker_phases(const Rollout& rollout, std::uint32_t step) {
  StepPhases out;
  for (const WorkerStep& file : files_of_step(rollout, step)) {
    out.workers.push_back(phases_of(rollout, worker_step_index(rollout, file)));
  }
  // A missing generation time sorts below every logged one.
  const auto generated = [](const WorkerPhases& worker) { return std::isnan(worker.generate) ? -HUGE_VAL : worker.generate; };
  const auto slower = [&](const WorkerPhases& a, const WorkerPhases& b) {
    if (generated(a) != generated(b)) return generated(a) > generated(b);
    return a.wait < b.wait;
  };
  for (std::size_t w = 0; w < out.workers.size(); ++w) {
    const WorkerPhases& worker = out.workers[w];
    if (!std::isnan(worker.wait)) out.waited += worker.wait;
    const bool known = !std::isnan(worker.generate) || !std::isnan(worker.wait);
    if (known && (!out.slowest || slower(worker, out.workers[*out.slowest]))) out.slowest = w;
    if (!std::isnan(worker.wait) && (!out.last || worker.wait < out.workers[*out.last].wait)) out.last = w;
  }
  // If a worker's wait is not logged, we cannot tell who waited longer.
  const bool all_logged = std::ranges::none_of(out.workers, [](const WorkerPhases& w) { return std::isnan(w.wait); });
  if (!all_logged) out.last = out.slowest;
  if (out.last) {
    const double least = out.workers[*out.last].wait;
    for (const WorkerPhases& worker : out.workers) out.waiting += worker.wait > (std::isnan(least) ? 0 : least);
  }
  return out;
}

}  // namespace tv
