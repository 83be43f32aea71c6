#include "core/analysis/scripts/event_share.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/rollout/worker_phases.h"

namespace tv {
namespace {

struct Worker {
  std::uint32_t step = 0;
  std::vector<EventSeconds> events;
  double total = 0;
};

std::vector<Worker> workers_with_total(const Rollout& rollout) {
  std::vector<Worker> out;
  for (const WorkerStep& file : rollout.worker_steps) {
    Worker worker{file.step, event_seconds(rollout.log(), file.phases), 0};
    const EventSeconds* total = find_event(worker.events, kTotal);
    if (!total || total->sum <= 0) continue;
    worker.total = total->sum;
    out.push_back(std::move(worker));
  }
  return out;
}

/// Known events in the order of a step, then the others in order of occurrence.
std::vector<std::string_view> events_of(const std::vector<Worker>& workers) {
  std::vector<std::string_view> all(kWorkerEvents.begin(), kWorkerEvents.end());
  std::vector<bool> occurs(all.size());
  for (const Worker& worker : workers) {
    for (const EventSeconds& event : worker.events) {
      const auto known = std::ranges::find(all, event.event);
      if (known == all.end()) {
        all.push_back(event.event);
        occurs.push_back(true);
      } else {
        occurs[static_cast<std::size_t>(known - all.begin())] = true;
      }
    }
  }
  std::vector<std::string_view> out;
  for (std::size_t e = 0; e < all.size(); ++e) {
    if (occurs[e] && all[e] != kTotal) out.push_back(all[e]);
  }
  return out;
}

}  // namespace

EventShares event_shares(const Rollout& rollout) {
  const std::vector<Worker> workers = workers_with_total(rollout);
  const std::size_t steps = rollout.steps.size();
  EventShares out;
  out.events = events_of(workers);
  std::vector<double> count(steps), total(steps);
  std::vector<std::vector<double>> sum(out.events.size(), std::vector<double>(steps));
  for (const Worker& worker : workers) {
    count[worker.step] += 1;
    total[worker.step] += worker.total;
    for (const EventSeconds& event : worker.events) {
      const auto at = std::ranges::find(out.events, event.event);
      if (at == out.events.end()) continue;  // the total
      sum[static_cast<std::size_t>(at - out.events.begin())][worker.step] += event.sum / worker.total * 100;
    }
  }
  out.unaccounted.assign(steps, 100);
  for (std::size_t s = 0; s < steps; ++s) out.total.push_back(count[s] == 0 ? kNotMeasured : total[s] / count[s]);
  for (std::vector<double>& of_event : sum) {
    for (std::size_t s = 0; s < steps; ++s) {
      of_event[s] = count[s] == 0 ? kNotMeasured : of_event[s] / count[s];
      out.unaccounted[s] -= of_event[s];
    }
    out.percent.push_back(std::move(of_event));
  }
  for (std::size_t s = 0; s < steps; ++s) {
    if (count[s] == 0) out.unaccounted[s] = kNotMeasured;
  }
  return out;
}

std::vector<ScriptShares> script_shares(const RolloutLog& log, const std::vector<ScriptFile>& files) {
  constexpr std::array kEvents = {kGenerate, kBarrierWait, kPreprocessing, kTotal};
  std::vector<ScriptShares> out;
  for (std::size_t f = 0; f < files.size();) {
    ScriptShares& step = out.emplace_back();
    step.step = files[f].step;
    std::map<std::string_view, std::pair<double, std::size_t>> sums;
    for (; f < files.size() && files[f].step == step.step; ++f) {
      for (const EventSeconds& event : event_seconds(log, files[f].phases)) {
        const auto wanted = std::ranges::find(kEvents, event.event);
        if (wanted == kEvents.end()) continue;
        sums[*wanted].first += event.sum;
        sums[*wanted].second += event.count;
      }
    }
    for (const auto& [event, sum] : sums) step.mean_seconds[event] = sum.first / static_cast<double>(sum.second);
    const auto total = step.mean_seconds.find(kTotal);
    if (total == step.mean_seconds.end()) continue;
    for (const auto& [event, seconds] : step.mean_seconds) {
      if (event != kTotal) step.percent[event] = seconds / total->second * 100;
    }
  }
  return out;
}

}  // namespace tv
