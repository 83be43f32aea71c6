#include "core/analysis/rollout/step_overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/analysis/rollout/rollout_parts.h"
#include "core/analysis/rollout/worker_phases.h"
#include "core/analysis/statistics/usual_length.h"

namespace tv {
namespace {

/// For each value: whether it stands out, and by how much.
std::vector<std::optional<StandsOut>> outstanding(const std::vector<double>& values) {
  const UsualLength usual(values);
  std::vector<std::optional<StandsOut>> out(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const double factor = usual.factor(values[i]); factor > 0) out[i] = StandsOut{factor, {}};
  }
  return out;
}

class Reasons {
 public:
  explicit Reasons(const Rollout& rollout) : rollout_(rollout) {
    std::map<std::string_view, std::vector<double>> all;
    for (const WorkerStep& file : rollout.worker_steps) {
      for (const EventSeconds& event : event_seconds(rollout.log(), file.phases)) all[event.event].push_back(event.sum);
    }
    for (const auto& [event, seconds] : all) usual_[event] = quantile(sorted_measured(seconds), 0.5);
  }

  std::optional<StepReason> of(std::uint32_t step) const {
    std::optional<StepReason> worst;
    for (const WorkerStep& file : files_of_step(rollout_, step)) {
      for (const EventSeconds& event : event_seconds(rollout_.log(), file.phases)) {
        if (event.event == kTotal || event.event == kBarrierWait) continue;
        const double usual = usual_.at(event.event), over = event.sum - usual;
        if (over <= 0 || (worst && over <= worst->seconds - worst->usual)) continue;
        worst = StepReason{worker_step_index(rollout_, file), event.event, event.sum, usual};
      }
    }
    return worst;
  }

 private:
  const Rollout& rollout_;
  std::map<std::string_view, double> usual_;
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
  std::vector<double> rollouts, intervals, trainings, with_interval;
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    const RolloutStep& step = rollout.steps[s];
    StepDurations& of = out.steps.emplace_back();
    of.begin = static_cast<double>(step.extent.begin) / 1e9;
    of.rollout = longest_total(rollout, s);
    const bool has_next = s + 1 < rollout.steps.size() && rollout.steps[s + 1].run == step.run &&
                          rollout.steps[s + 1].step == step.step + 1;
    if (has_next) of.interval = static_cast<double>(rollout.steps[s + 1].extent.begin - step.extent.begin) / 1e9;
    of.training = of.interval - of.rollout;
    rollouts.push_back(of.rollout);
    intervals.push_back(of.interval);
    trainings.push_back(of.training);
    if (!std::isnan(of.training)) with_interval.push_back(of.rollout);
  }
  out.rollout = summarize(rollouts);
  out.interval = summarize(intervals);
  out.training = summarize(trainings);
  const double mean = summarize(with_interval).mean;
  out.gap = out.training.mean;
  out.ratio = (mean + out.training.mean) / mean;

  const auto slow_rollouts = outstanding(rollouts), slow_trainings = outstanding(trainings);
  std::optional<Reasons> reasons;
  for (std::uint32_t s = 0; s < out.steps.size(); ++s) {
    out.steps[s].slow_rollout = slow_rollouts[s];
    out.steps[s].slow_training = slow_trainings[s];
    if (!slow_rollouts[s]) continue;
    if (!reasons) reasons.emplace(rollout);
    out.steps[s].slow_rollout->reason = reasons->of(s);
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
