#include "core/store/clock/step_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace tv {
namespace {

constexpr std::string_view kGenerate = "gen", kTesting = "testing";

// A part of a step. `lead`: from the step's begin to the part's begin; `rest`: time of the step outside all parts.
struct PartOfStep {
  std::size_t index = 0;  // of the step, in the log
  Ns duration = 0, lead = 0, rest = 0;
};

std::vector<PartOfStep> parts_named(const MetricLog& log, std::string_view name) {
  std::vector<PartOfStep> found;
  for (std::size_t s = 0; s < log.steps.size(); ++s) {
    const MetricStep& step = log.steps[s];
    Ns lead = 0;
    std::optional<PartOfStep> part;
    for (std::uint32_t p = 0; p < step.part_count; ++p) {
      const MetricPart& each = log.parts[step.first_part + p];
      if (log.name(each.name) == name) part = {s, each.duration, lead, 0};
      lead += each.duration;
    }
    if (!part || step.duration <= 0) continue;
    part->rest = std::max<Ns>(0, step.duration - lead);
    found.push_back(*part);
  }
  return found;
}

// The last logged part of each step number.
std::map<std::int64_t, PartOfStep> last_parts_named(const MetricLog& log, std::string_view name) {
  std::map<std::int64_t, PartOfStep> found;
  for (const PartOfStep& part : parts_named(log, name)) found[log.steps[part.index].step] = part;
  return found;
}

// The logged part of each step number. None if the step was repeated, because a trace does not tell which of them it shows.
using OnlyParts = std::map<std::int64_t, std::optional<PartOfStep>>;
OnlyParts only_parts_named(const MetricLog& log, std::string_view name) {
  OnlyParts only;
  for (const PartOfStep& part : parts_named(log, name)) {
    const auto [known, is_new] = only.try_emplace(log.steps[part.index].step, part);
    if (!is_new) known->second.reset();
  }
  return only;
}

std::set<std::int64_t> pids_of(const MetricLog& log) {
  std::set<std::int64_t> pids;
  for (const LogProcess& process : log.processes) pids.insert(process.pid);
  return pids;
}

// --- marked steps ---

// The logged steps that correspond to the marks: each mark must be as long as its logged step, and no other position may fit.
struct MarkedPlace {
  std::vector<std::size_t> steps;  // in the log
  bool by_pid = false;
  std::string why_not;
};

// Only profiled steps are marked, so there may be few. Two of them can fit by chance, so the log must then name the process.
MarkedPlace place_of(const MetricLog& log, const MarkedSteps& process) {
  constexpr Ns kPrinting = 20 * kMillisecond;  // from the end of a range to the log's reading of the clock
  constexpr Ns kShare = 500;                   // a step may differ by one part in 500: two readings of one host's clock
  constexpr std::size_t kLeast = 2, kLeastWithoutPid = 3;
  constexpr double kChance = 0.2;       // limit for the expected number of places that fit by chance
  constexpr double kOfAnother = 0.1;    // assumed number of other steps of this length, if only one fits
  MarkedPlace place;
  const std::set<std::int64_t> pids = pids_of(log);
  place.by_pid = process.pid >= 0 && pids.contains(process.pid);
  std::vector<std::size_t> steps;
  for (std::size_t s = 0; s < log.steps.size(); ++s) {
    if (log.steps[s].duration > 0) steps.push_back(s);
  }
  if (process.steps.empty() || process.steps.size() > steps.size()) return place;
  if (process.steps.size() < (place.by_pid ? kLeast : kLeastWithoutPid)) {
    place.why_not =
        place.by_pid ? "a single range is no evidence" : "they are too few, and the log does not name their process";
    return place;
  }
  const auto is_as_long = [&](std::size_t step, const RecordedRange& marked) {
    const Ns logged = log.steps[step].duration;
    return std::abs(logged - marked.length()) <= logged / kShare + kPrinting;
  };
  // If the log lacks the marked steps, other steps may fit by chance, especially if many of them have similar lengths.
  double chance = static_cast<double>(steps.size());
  for (const RecordedRange& marked : process.steps) {
    const auto fit = std::ranges::count_if(steps, [&](std::size_t step) { return is_as_long(step, marked); });
    chance *= (fit > 1 ? static_cast<double>(fit) : kOfAnother) / static_cast<double>(steps.size());
  }
  std::vector<std::size_t> fitting;
  for (std::size_t first = 0; first + process.steps.size() <= steps.size() && fitting.size() < 2; ++first) {
    bool fits = true;
    for (std::size_t i = 0; i < process.steps.size() && fits; ++i) {
      fits = is_as_long(steps[first + i], process.steps[i]);
    }
    if (fits) fitting.push_back(first);
  }
  if (fitting.size() != 1) {
    place.why_not = fitting.empty() ? "they fit nowhere" : "they fit in several places";
    return place;
  }
  if (chance > kChance) {
    place.why_not = "the steps are too similar";
    return place;
  }
  for (std::size_t i = 0; i < process.steps.size(); ++i) place.steps.push_back(steps[fitting[0] + i]);
  return place;
}

// --- rollouts ---

std::vector<LoggedStep> logged_steps(const MetricLog& log, const std::vector<PartOfStep>& gens) {
  std::map<std::size_t, Ns> testing;
  for (const PartOfStep& part : parts_named(log, kTesting)) testing[part.index] = part.duration;
  std::vector<LoggedStep> out;
  for (const PartOfStep& gen : gens) {
    const MetricStep& step = log.steps[gen.index];
    const auto tested = testing.find(gen.index);
    out.push_back({step.step, to_seconds(step.duration), to_seconds(gen.lead), to_seconds(gen.duration),
                   tested == testing.end() ? 0 : to_seconds(tested->second)});
  }
  return out;
}

// The step begins that are known from traces of single steps and from marked steps.
std::vector<KnownPlace> known_places(const MetricLog& log, const std::vector<PartOfStep>& gens,
                                     const std::vector<MarkedSteps>& marked, const std::vector<StepTrace>& traces) {
  std::vector<KnownPlace> known;
  const auto logged_of = [&](std::size_t index) {
    const auto found = std::ranges::lower_bound(gens, index, {}, &PartOfStep::index);
    return found == gens.end() || found->index != index ? gens.size() : static_cast<std::size_t>(found - gens.begin());
  };
  for (const MarkedSteps& process : marked) {
    const MarkedPlace place = place_of(log, process);
    for (std::size_t i = 0; i < place.steps.size(); ++i) {
      const std::size_t logged = logged_of(place.steps[i]);
      if (logged < gens.size()) known.push_back({logged, process.steps[i].begin, process.steps[i].begin, process.name});
    }
  }
  const std::set<std::int64_t> pids = pids_of(log);
  std::map<std::string_view, OnlyParts> parts_of_phase;
  for (const StepTrace& trace : traces) {
    if (!pids.contains(trace.pid)) continue;
    const auto [phase, is_new] = parts_of_phase.try_emplace(trace.phase);
    if (is_new) phase->second = only_parts_named(log, trace.phase);
    const auto only = phase->second.find(trace.step);
    if (only == phase->second.end() || !only->second) continue;
    const PartOfStep& part = *only->second;
    const std::size_t logged = logged_of(part.index);
    const RecordedTime latest = trace.extent.begin - part.lead, earliest = trace.extent.end - part.lead - part.duration - part.rest;
    if (logged == gens.size() || earliest > latest + kSecond / 10) continue;
    known.push_back({logged, earliest, latest,
                     fmt::format("{} (step {}, process {} of the log)", trace.name, trace.step, trace.pid)});
  }
  return known;
}

// "step k is its step_k", "step k is its step_(k+1)", "... step_(k+1) to step_(k+3)".
std::string shift_text(const StepAlignment& found, const std::vector<LoggedStep>& steps,
                       const std::vector<RolloutSpan>& spans) {
  const auto name = [](std::int64_t shift) {
    return shift == 0 ? std::string("step_k") : fmt::format("step_(k{:+})", shift);
  };
  std::set<std::int64_t> shifts;
  for (const AlignedStep& step : found.steps) shifts.insert(spans[step.rollout].step - steps[step.logged].number);
  if (shifts.size() == 1) return "step k is its " + name(*shifts.begin());
  return fmt::format("step k is its {} to {}", name(*shifts.begin()), name(*shifts.rbegin()));
}

std::string evidence_text(const StepAlignment& found, const std::vector<LoggedStep>& steps,
                          const RolloutSteps& rollout) {
  std::string text = fmt::format(
      "on the clock of rollout {}: {} of {} steps, {}; timing_s/gen is {:.2f} s longer than the rollout ({:.2f} to "
      "{:.2f} s), "
      "and steps begin as far apart as timing_s/step says (evidence {:.0f}, {} is enough)",
      rollout.name, found.steps.size(), steps.size(), shift_text(found, steps, rollout.spans), found.longer,
      found.longer_least, found.longer_most, found.evidence, kAlignmentEvidence);
  const auto least = std::ranges::min_element(found.steps, {}, &AlignedStep::margin);
  if (least->second_best < 0) return text + "; in every other order, steps would overlap";
  return text + fmt::format("; next best: step {} as step_{}, worse by {:.0f} ({} is enough)",
                            steps[least->logged].number, rollout.spans[static_cast<std::size_t>(least->second_best)].step,
                            least->margin, kAlignmentMargin);
}

}  // namespace

StepJoin join_rollouts(const MetricLog& log, const std::vector<RolloutSteps>& rollouts,
                       const std::vector<MarkedSteps>& marked, const std::vector<StepTrace>& traces) {
  StepJoin join;
  const std::vector<PartOfStep> gens = parts_named(log, kGenerate);
  if (gens.empty()) return join;
  const std::vector<LoggedStep> steps = logged_steps(log, gens);
  const std::vector<KnownPlace> known = known_places(log, gens, marked, traces);
  StepAlignment best;
  std::string refused;
  for (const RolloutSteps& rollout : rollouts) {
    StepAlignment found = align_steps(steps, rollout.spans, known, rollout.local);
    if (found.steps.empty()) {
      if (refused.empty()) refused = fmt::format("not joined with rollout {}: {}", rollout.name, found.why_not);
      continue;
    }
    if (join.rollout) {
      return {
          {}, fmt::format("not joined: rollouts {} and {} fit equally well", join.rollout->name, rollout.name), nullptr, {}};
    }
    join.rollout = &rollout;
    best = std::move(found);
  }
  if (!join.rollout) {
    join.text = std::move(refused);
    return join;
  }
  for (const AlignedStep& step : best.steps) {
    const PartOfStep& gen = gens[step.logged];
    join.begin[gen.index] = join.rollout->spans[step.rollout].extent.begin - gen.lead;
  }
  join.east = best.east;
  join.text = evidence_text(best, steps, *join.rollout);
  if (!known.empty()) {
    join.text += fmt::format("; {} agrees", known.front().name);
    if (known.size() > 1) join.text += fmt::format(", and {} more like it", known.size() - 1);
  }
  return join;
}

StepJoin join_marked_steps(const MetricLog& log, const std::vector<MarkedSteps>& processes) {
  StepJoin join;
  for (const bool named : {true, false}) {  // processes named in the log first
    for (const MarkedSteps& process : processes) {
      const MarkedPlace place = place_of(log, process);
      if (place.by_pid != named) continue;
      if (place.steps.empty()) {
        if (!place.why_not.empty()) {
          join.text = fmt::format("not joined with the ranges of {}: {}", process.name, place.why_not);
        }
        continue;
      }
      for (std::size_t i = 0; i < place.steps.size(); ++i) join.begin[place.steps[i]] = process.steps[i].begin;
      join.text =
          fmt::format("on the clock of {}: its {} ranges \"step\" are as long as steps {} to {}{}", process.name,
                      process.steps.size(), log.steps[place.steps.front()].step, log.steps[place.steps.back()].step,
                      named ? fmt::format(", and the log names its process {}", process.pid) : std::string());
      return join;
    }
  }
  return join;
}

StepJoin join_traces(const MetricLog& log, const std::vector<StepTrace>& traces) {
  StepJoin join;
  const std::set<std::int64_t> pids = pids_of(log);
  constexpr Ns kRounding = 100 * kMillisecond;
  std::map<std::int64_t, Ns> slack_of;
  std::map<std::string_view, std::map<std::int64_t, PartOfStep>> parts_of_phase;
  std::string doubt;
  for (const StepTrace& trace : traces) {
    const bool by_pid = pids.contains(trace.pid);
    if (!by_pid && trace.pid >= 0) {
      if (!pids.empty()) doubt = fmt::format("process {} of {} is not in the log", trace.pid, trace.name);
      continue;
    }
    const auto [known_phase, is_new] = parts_of_phase.try_emplace(trace.phase);
    if (is_new) known_phase->second = last_parts_named(log, trace.phase);
    const auto part = known_phase->second.find(trace.step);
    if (part == known_phase->second.end()) continue;
    const Ns slack = part->second.duration - trace.extent.length();
    if (slack < -kRounding) {
      doubt = fmt::format("{} lasts longer than {} of step {}", trace.name, trace.phase, trace.step);
      continue;
    }
    // A trace without a process must be nearly as long as the phase.
    if (!by_pid && slack > part->second.duration / 10 + kSecond / 2) {
      doubt = fmt::format("{} is much shorter than {} of step {}, and names no process", trace.name, trace.phase, trace.step);
      continue;
    }
    const auto known = slack_of.find(trace.step);
    if (known != slack_of.end() && known->second <= slack) continue;
    slack_of[trace.step] = slack;
    join.begin[part->second.index] = trace.extent.begin - slack / 2 - part->second.lead;
    const std::string who = by_pid           ? fmt::format("process {} of the log, within", trace.pid)
                            : trace.rank >= 0 ? fmt::format("rank {}, about as long as", trace.rank)
                                              : std::string("about as long as");
    join.text = fmt::format("on the clock of {}: step {}, {} {} (+- {:.2f} s)", trace.name, trace.step, who,
                            trace.phase, to_seconds(std::max<Ns>(slack, 0) / 2 + part->second.rest));
  }
  if (join.begin.size() > 1) join.text += fmt::format(", and {} more steps in the same way", join.begin.size() - 1);
  if (join.begin.empty() && !doubt.empty()) join.text = "not joined with traces: " + doubt;
  return join;
}

}  // namespace tv
