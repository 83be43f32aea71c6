#include "core/store/step_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cmath>
#include <set>

namespace tv {
namespace {

constexpr std::string_view kGenerate = "gen";

// A part of a step: how long it takes, and how long after the step's begin it begins.
struct PartOfStep {
  Ns duration = 0, lead = 0;
};
using PartsOfSteps = std::map<std::int64_t, PartOfStep>;

// Of each step as it was logged last.
PartsOfSteps parts_named(const MetricLog& log, std::string_view name) {
  PartsOfSteps found;
  for (const MetricStep& step : log.steps) {
    Ns lead = 0;
    for (std::uint32_t p = 0; p < step.part_count; ++p) {
      const MetricPart& part = log.parts[step.first_part + p];
      if (log.name(part.name) == name) found[step.step] = {part.duration, lead};
      lead += part.duration;
    }
  }
  return found;
}

struct Agreement {
  std::size_t common = 0, agree = 0;
  double difference = 0;  // mean over the common steps, in seconds

  // All but one in five steps, and of a single step more than that it may well be chance.
  bool enough() const { return agree > 0 && agree * 5 >= common * 4 && (common > 1 || difference < 0.5); }
};

// The trainer's gen holds the rollout and what hands it over.
bool fits(Ns gen, Ns rollout) {
  return std::abs(static_cast<double>(gen - rollout)) <= 0.1 * static_cast<double>(std::max(gen, rollout)) + 1e9;
}

Agreement agreement(const PartsOfSteps& gen, const RolloutSteps& rollout) {
  Agreement out;
  for (const auto& [number, part] : gen) {
    const auto step = rollout.steps.find(number);
    if (step == rollout.steps.end()) continue;
    ++out.common;
    out.agree += fits(part.duration, step->second.length()) ? 1 : 0;
    out.difference += std::abs(to_seconds(part.duration - step->second.length()));
  }
  if (out.common > 0) out.difference /= static_cast<double>(out.common);
  return out;
}

}  // namespace

StepJoin join_rollouts(const MetricLog& log, const std::vector<RolloutSteps>& rollouts) {
  StepJoin join;
  const PartsOfSteps gen = parts_named(log, kGenerate);
  const RolloutSteps* best = nullptr;
  Agreement with_best, nearly;
  std::string nearly_name;
  for (const RolloutSteps& rollout : rollouts) {
    const Agreement found = agreement(gen, rollout);
    if (!found.enough()) {
      if (found.common > nearly.common) {
        nearly = found;
        nearly_name = rollout.name;
      }
      continue;
    }
    if (best) return {{}, fmt::format("not joined: rollouts {} and {} fit alike", best->name, rollout.name)};
    best = &rollout;
    with_best = found;
  }
  if (!best) {
    if (nearly.common == 0) return join;
    join.text = fmt::format(
        "not joined with rollout {}: of {} steps with the same number {} have a timing_s/gen as long as the rollout "
        "(mean difference {:.1f} s)",
        nearly_name, nearly.common, nearly.agree, nearly.difference);
    return join;
  }
  for (const auto& [number, extent] : best->steps) {
    const auto part = gen.find(number);
    if (part != gen.end()) join.begin[number] = extent.begin - part->second.lead;
  }
  join.text = fmt::format(
      "on the clock of rollout {}: {} of {} steps with the same number have a timing_s/gen as long as the rollout "
      "(mean difference {:.2f} s)",
      best->name, with_best.agree, with_best.common, with_best.difference);
  return join;
}

// The marks are as many as were profiled: where in the log they begin is the place where all of them are as long as what it
// prints. Steps of equal length fit in several places; then the log must name the process, and nothing else may fit.
StepJoin join_marked_steps(const MetricLog& log, const std::vector<MarkedSteps>& processes) {
  constexpr Ns kPrinting = 20 * kMillisecond;  // between the end of a range and the clock that is read for the log
  constexpr Ns kShare = 50;                    // a fiftieth
  StepJoin join;
  std::vector<const MetricStep*> steps;
  for (const MetricStep& step : log.steps) {
    if (step.duration > 0) steps.push_back(&step);
  }
  for (const MarkedSteps& process : processes) {
    const bool by_pid = std::ranges::any_of(log.processes, [&](const LogProcess& p) { return p.pid == process.pid; });
    if (process.steps.empty() || process.steps.size() > steps.size()) continue;
    std::vector<std::size_t> fitting;
    for (std::size_t first = 0; first + process.steps.size() <= steps.size(); ++first) {
      bool fits = true;
      for (std::size_t i = 0; i < process.steps.size() && fits; ++i) {
        const Ns logged = steps[first + i]->duration, marked = process.steps[i].length();
        fits = std::abs(logged - marked) <= logged / kShare + kPrinting;
      }
      if (fits) fitting.push_back(first);
      if (fitting.size() > 1) break;
    }
    if (fitting.size() != 1 || (!by_pid && process.steps.size() < 2)) {
      join.text = fmt::format("not joined with the ranges of {}: they fit {}", process.name,
                              fitting.empty() ? "nowhere" : "in several places");
      continue;
    }
    for (std::size_t i = 0; i < process.steps.size(); ++i) {
      join.begin[steps[fitting[0] + i]->step] = process.steps[i].begin;
    }
    join.text = fmt::format("on the clock of {}: its {} ranges \"step\" are as long as steps {} to {}{}", process.name,
                            process.steps.size(), steps[fitting[0]]->step,
                            steps[fitting[0] + process.steps.size() - 1]->step,
                            by_pid ? fmt::format(", and the log names its process {}", process.pid) : std::string());
    return join;
  }
  return join;
}

StepJoin join_traces(const MetricLog& log, const std::vector<StepTrace>& traces) {
  StepJoin join;
  std::set<std::int64_t> pids;
  for (const LogProcess& process : log.processes) pids.insert(process.pid);
  constexpr Ns kRounding = 100 * kMillisecond;
  std::map<std::int64_t, Ns> slack_of;
  std::map<std::string_view, PartsOfSteps> parts_of_phase;
  std::string doubt;
  for (const StepTrace& trace : traces) {
    const bool by_pid = pids.contains(trace.pid);
    if (!by_pid && trace.pid >= 0) {
      if (!pids.empty()) doubt = fmt::format("process {} of {} is not in the log", trace.pid, trace.name);
      continue;
    }
    const auto [known_phase, is_new] = parts_of_phase.try_emplace(trace.phase);
    if (is_new) known_phase->second = parts_named(log, trace.phase);
    const PartsOfSteps& parts = known_phase->second;
    const auto part = parts.find(trace.step);
    if (part == parts.end()) continue;
    const Ns slack = part->second.duration - trace.extent.length();
    if (slack < -kRounding) {
      doubt = fmt::format("{} lasts longer than {} of step {}", trace.name, trace.phase, trace.step);
      continue;
    }
    // Without a process the length has to tell more: nearly all of the phase.
    if (!by_pid && slack > part->second.duration / 10 + kSecond / 2) {
      doubt = fmt::format("{} is much shorter than {} of step {}, and names no process", trace.name, trace.phase, trace.step);
      continue;
    }
    const auto known = slack_of.find(trace.step);
    if (known != slack_of.end() && known->second <= slack) continue;
    slack_of[trace.step] = slack;
    join.begin[trace.step] = trace.extent.begin - slack / 2 - part->second.lead;
    const std::string who = by_pid           ? fmt::format("process {} of the log, within", trace.pid)
                            : trace.rank >= 0 ? fmt::format("rank {}, about as long as", trace.rank)
                                              : std::string("about as long as");
    join.text = fmt::format("on the clock of {}: step {}, {} {} (+- {:.2f} s)", trace.name, trace.step, who, trace.phase,
                            std::max(0.0, to_seconds(slack) / 2));
  }
  if (join.begin.size() > 1) join.text += fmt::format(", and {} more steps alike", join.begin.size() - 1);
  if (join.begin.empty() && !doubt.empty()) join.text = "not joined with traces: " + doubt;
  return join;
}

}  // namespace tv
