#include "core/analysis/rollout/step_overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/analysis/rollout/rollout_parts.h"
#include "core/analysis/rollout/worker_phases.h"
#include "core/analysis/statistics/usual_length.h"

namespace tv {
namespace {

/// For each step, whether its value stands out, and by how much. Each step is compared with its own run only, because the steps of
/// other runs may be much longer or shorter.
std::vector<std::optional<StandsOut>> slow_steps(const Rollout& rollout, const std::vector<double>& values) {
  std::map<std::int32_t, std::vector<double>> values_by_run;
  for (std::size_t s = 0; s < values.size(); ++s) values_by_run[rollout.steps[s].run].push_back(values[s]);
  std::map<std::int32_t, UsualLength> usual;
  for (const auto& [run, values_of_run] : values_by_run) usual.emplace(run, values_of_run);
  std::vector<std::optional<StandsOut>> out(values.size());
  for (std::size_t s = 0; s < values.size(); ++s) {
    if (const double factor = usual.at(rollout.steps[s].run).factor(values[s]); factor > 0) out[s] = StandsOut{factor, {}};
  }
  return out;
}

// Finds the event that made a step slow: the one that exceeds its usual time the most.
class SlowestEvents {
 public:
  explicit SlowestEvents(const Rollout& rollout) : rollout_(rollout) {
    std::map<EventOfRun, std::vector<double>> all;
    for (const WorkerStep& file : rollout.worker_steps) {
      const std::int32_t run = rollout.steps[file.step].run;
      for (const EventSeconds& event : event_seconds(rollout.log(), file.phases)) all[{run, event.event}].push_back(event.sum);
    }
    for (const auto& [event, seconds] : all) usual_[event] = quantile(sorted_measured(seconds), 0.5);
  }

  std::optional<StepReason> reason(std::uint32_t step) const {
    std::optional<StepReason> worst;
    for (const WorkerStep& file : files_of_step(rollout_, step)) {
      for (const EventSeconds& event : event_seconds(rollout_.log(), file.phases)) {
        if (event.event == kTotal || event.event == kBarrierWait) continue;
        const double usual = usual_.at({rollout_.steps[step].run, event.event}), excess = event.sum - usual;
        if (excess <= 0 || (worst && excess <= worst->seconds - worst->usual)) continue;
        worst = StepReason{worker_step_index(rollout_, file), event.event, event.sum, usual};
      }
    }
    return worst;
  }

 private:
  using EventOfRun = std::pair<std::int32_t, std::string_view>;

  const Rollout& rollout_;
  std::map<EventOfRun, double> usual_;
};

double longest_total(const Rollout& rollout, std::uint32_t step) {
  double longest = kNotMeasured;
  for (const WorkerStep& file : files_of_step(rollout, step)) {
    for (const std::uint32_t p : file.phases) {
      const RolloutPhase& phase = rollout.log().phases[p];
      if (rollout.log().text(phase.event) == kTotal) longest = std::fmax(longest, phase.seconds);
    }
  }
  return longest;
}

}  // namespace

StepOverview step_overview(const Rollout& rollout) {
  StepOverview out;
  std::vector<double> rollouts, intervals, trainings, rollouts_with_interval;
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    const RolloutStep& step = rollout.steps[s];
    StepDurations& durations = out.steps.emplace_back();
    durations.begin = static_cast<double>(step.extent.begin) / 1e9;
    durations.rollout = longest_total(rollout, s);
    const bool has_next = s + 1 < rollout.steps.size() && rollout.steps[s + 1].run == step.run &&
                          rollout.steps[s + 1].step == step.step + 1;
    if (has_next) durations.interval = static_cast<double>(rollout.steps[s + 1].extent.begin - step.extent.begin) / 1e9;
    durations.training = durations.interval - durations.rollout;
    rollouts.push_back(durations.rollout);
    intervals.push_back(durations.interval);
    trainings.push_back(durations.training);
    if (!std::isnan(durations.training)) rollouts_with_interval.push_back(durations.rollout);
  }
  out.rollout = summarize(rollouts);
  out.interval = summarize(intervals);
  out.training = summarize(trainings);
  const double mean_rollout = summarize(rollouts_with_interval).mean;
  out.gap = out.training.mean;
  out.ratio = (mean_rollout + out.training.mean) / mean_rollout;

  const auto slow_rollouts = slow_steps(rollout, rollouts), slow_trainings = slow_steps(rollout, trainings);
  std::optional<SlowestEvents> events;  // made only if a rollout is slow
  for (std::uint32_t s = 0; s < out.steps.size(); ++s) {
    out.steps[s].slow_rollout = slow_rollouts[s];
    out.steps[s].slow_training = slow_trainings[s];
    if (!slow_rollouts[s]) continue;
    if (!events) events.emplace(rollout);
    out.steps[s].slow_rollout->reason = events->reason(s);
  }
  return out;
}

std::string text_of(const Rollout& rollout, const StepReason& reason) {
  std::string_view event = reason.event;
  if (event.ends_with("_duration")) event.remove_suffix(std::string_view("_duration").size());
  return fmt::format("worker {}: {} {:.2f} s, usually {:.2f} s",
                     rollout.workers[rollout.worker_steps[reason.worker_step].worker], event, reason.seconds,
                     reason.usual);
}

}  // namespace tv
