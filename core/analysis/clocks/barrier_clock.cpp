#include "core/analysis/clocks/barrier_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "core/analysis/rollout/rollout_parts.h"
#include "core/analysis/statistics/summary.h"
#include "core/base/disjoint_sets.h"
#include "core/base/text/path_parts.h"

namespace tv {
namespace {

constexpr int kMostRounds = 30;  // limit of the median polish, which usually takes two or three rounds

struct BarrierEnd {
  std::uint32_t worker = 0;  // index into BarrierClocks::workers
  Ns end = 0;
};
using BarrierStep = std::vector<BarrierEnd>;

Ns median_of_sorted(std::span<const Ns> sorted) {
  const std::size_t half = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[half];
  return sorted[half - 1] + (sorted[half] - sorted[half - 1]) / 2;
}

Ns median_of(std::vector<Ns>& values) {
  std::ranges::sort(values);
  return median_of_sorted(values);
}

// The median without the value at index `left_out`.
Ns median_without(std::span<const Ns> sorted, std::size_t left_out) {
  const auto at = [&](std::size_t i) { return sorted[i < left_out ? i : i + 1]; };
  const std::size_t rest = sorted.size() - 1, half = rest / 2;
  return rest % 2 == 1 ? at(half) : at(half - 1) + (at(half) - at(half - 1)) / 2;
}

Ns to_microsecond(Ns ns) {
  const Ns half = ns < 0 ? -kMicrosecond / 2 : kMicrosecond / 2;
  return (ns + half) / kMicrosecond * kMicrosecond;
}

class ClockEstimate {
 public:
  explicit ClockEstimate(const Rollout& rollout) : rollout_(rollout), with_same_files_(rollout.runs.size()) {}

  BarrierClocks run() {
    list_workers();
    collect_barrier_ends();
    DisjointSets connected = connect_workers();
    std::map<std::size_t, std::vector<const BarrierStep*>> groups;  // by first worker
    for (const BarrierStep& step : steps_) groups[connected.first_of(step.front().worker)].push_back(&step);
    for (const auto& [first, steps] : groups) estimate(steps);
    out_.before_p90 = p90(all_before_);
    out_.residual_p90 = p90(all_after_);
    return std::move(out_);
  }

 private:
  void list_workers() {
    std::map<std::uint32_t, std::size_t> run_of_file;
    for (const WorkerStep& part : rollout_.worker_steps) {
      const std::size_t run = run_of(part);
      with_same_files_.join(run, run_of_file.emplace(part.file, run).first->second);
    }
    std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> rows;
    for (const WorkerStep& part : rollout_.worker_steps) rows.emplace(key_of(part), 0);
    for (auto& [key, row] : rows) {
      row = static_cast<std::uint32_t>(out_.workers.size());
      BarrierClock& clock = out_.workers.emplace_back();
      clock.run = rollout_.runs[key.first];
      clock.worker = rollout_.workers[key.second];
      clock.why = "no barrier_wait_duration lines";
    }
    const std::vector<SourceInfo>& sources = rollout_.trace->sources;
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;  // row, source
    for (const WorkerStep& part : rollout_.worker_steps) {
      row_of_part_.push_back(rows.at(key_of(part)));
      BarrierClock& clock = out_.workers[row_of_part_.back()];
      const std::uint32_t source = rollout_.log().files[part.file].source;
      if (source >= sources.size() || !known.emplace(row_of_part_.back(), source).second) continue;
      if (clock.sources.empty()) clock.applied = sources[source].clock_offset;
      clock.mixed |= sources[source].clock_offset != clock.applied;
      clock.sources.push_back(source);
    }
  }

  std::size_t run_of(const WorkerStep& part) const { return static_cast<std::size_t>(rollout_.steps[part.step].run); }
  // Runs that share a file count as one: the first of them.
  std::pair<std::size_t, std::uint32_t> key_of(const WorkerStep& part) {
    return {with_same_files_.first_of(run_of(part)), part.worker};
  }

  // If a worker has several barrier lines in a step, the last one counts, as in verl's scripts. Of several files, the latest end
  // counts.
  void collect_barrier_ends() {
    const StrId barrier = barrier_event(rollout_);
    if (barrier == kNone<StrId>) return;
    steps_.resize(rollout_.steps.size());
    for (std::size_t p = 0; p < rollout_.worker_steps.size(); ++p) {
      const WorkerStep& part = rollout_.worker_steps[p];
      std::optional<Ns> end;
      for (const std::uint32_t phase : part.phases) {
        if (rollout_.log().phases[phase].event == idx(barrier)) end = rollout_.log().phases[phase].end;
      }
      if (!end) continue;
      BarrierStep& step = steps_[part.step];
      if (!step.empty() && step.back().worker == row_of_part_[p]) {
        step.back().end = std::max(step.back().end, *end);
      } else {
        step.push_back({row_of_part_[p], *end});
      }
      out_.workers[row_of_part_[p]].why = "no step in which another worker has a barrier line too";
    }
    std::erase_if(steps_, [](const BarrierStep& step) { return step.size() < 2; });
  }

  // Only workers that a chain of steps connects can be compared.
  DisjointSets connect_workers() {
    DisjointSets connected(out_.workers.size());
    for (const BarrierStep& step : steps_) {
      for (const BarrierEnd& end : step) {
        connected.join(step.front().worker, end.worker);
        ++out_.workers[end.worker].steps;
      }
    }
    return connected;
  }

  // Estimates the offsets of the workers in one group, from all its steps.
  void estimate(const std::vector<const BarrierStep*>& steps) {
    out_.steps += static_cast<std::uint32_t>(steps.size());
    std::map<std::uint32_t, Ns> offset = polish(steps);
    const Ns zero = offset.at(worker_in_the_middle(offset));
    for (auto& [worker, by] : offset) by = to_microsecond(by - zero);
    set_results(steps, offset);
  }

  static std::map<std::uint32_t, Ns> polish(const std::vector<const BarrierStep*>& steps) {
    std::map<std::uint32_t, Ns> offset, before;
    for (const BarrierStep* step : steps) {
      for (const BarrierEnd& end : *step) offset[end.worker] = 0;
    }
    std::vector<Ns> ends;
    for (int round = 0; round < kMostRounds && offset != before; ++round) {
      std::map<std::uint32_t, std::vector<Ns>> to_reference;
      for (const BarrierStep* step : steps) {
        ends.clear();
        for (const BarrierEnd& end : *step) ends.push_back(end.end + offset.at(end.worker));
        const Ns reference = median_of(ends);
        for (const BarrierEnd& end : *step) to_reference[end.worker].push_back(reference - end.end);
      }
      before = offset;
      for (auto& [worker, values] : to_reference) offset[worker] = median_of(values);
    }
    return offset;
  }

  static std::uint32_t worker_in_the_middle(const std::map<std::uint32_t, Ns>& offset) {
    std::vector<std::pair<Ns, std::uint32_t>> sorted;
    for (const auto& [worker, by] : offset) sorted.push_back({by, worker});
    std::ranges::sort(sorted);
    const std::uint32_t upper = sorted[sorted.size() / 2].second;
    return sorted.size() % 2 == 1 ? upper : std::min(upper, sorted[sorted.size() / 2 - 1].second);
  }

  void set_results(const std::vector<const BarrierStep*>& steps, const std::map<std::uint32_t, Ns>& offset) {
    const auto before = distances(steps, [](std::uint32_t) { return Ns{0}; });
    const auto after = distances(steps, [&](std::uint32_t worker) { return offset.at(worker); });
    for (const auto& [worker, by] : offset) {
      BarrierClock& clock = out_.workers[worker];
      clock.why = clock.steps < kLeastBarrierSteps ? "one step only: nothing to check it against" : "";
      if (!clock.has_offset()) continue;
      clock.offset = by;
      clock.before = quantile_of(before.at(worker), 0.5);
      clock.residual = quantile_of(after.at(worker), 0.5);
      clock.residual_p90 = p90(after.at(worker));
      clock.proposed = std::abs(by) > kLeastClockOffset && std::abs(by) > 3 * clock.residual;
      all_before_.insert(all_before_.end(), before.at(worker).begin(), before.at(worker).end());
      all_after_.insert(all_after_.end(), after.at(worker).begin(), after.at(worker).end());
    }
  }

  // By worker, then step: the distance of the worker's barrier end from the median of the others.
  static std::map<std::uint32_t, std::vector<double>> distances(const std::vector<const BarrierStep*>& steps,
                                                                const std::function<Ns(std::uint32_t)>& offset) {
    std::map<std::uint32_t, std::vector<double>> out;
    std::vector<Ns> ends;
    for (const BarrierStep* step : steps) {
      ends.clear();
      for (const BarrierEnd& end : *step) ends.push_back(end.end + offset(end.worker));
      std::ranges::sort(ends);
      for (const BarrierEnd& end : *step) {
        const Ns shifted = end.end + offset(end.worker);
        const auto at = static_cast<std::size_t>(std::ranges::lower_bound(ends, shifted) - ends.begin());
        out[end.worker].push_back(static_cast<double>(std::abs(shifted - median_without(ends, at))));
      }
    }
    return out;
  }

  static Ns quantile_of(const std::vector<double>& values, double p) {
    const std::vector<double> sorted = sorted_measured(values);
    return sorted.empty() ? 0 : std::llround(quantile(sorted, p));
  }
  static Ns p90(const std::vector<double>& values) { return quantile_of(values, 0.9); }

  const Rollout& rollout_;
  BarrierClocks out_;
  DisjointSets with_same_files_;            // runs
  std::vector<std::uint32_t> row_of_part_;  // by Rollout::worker_steps
  std::vector<BarrierStep> steps_;
  std::vector<double> all_before_, all_after_;
};

}  // namespace

std::size_t BarrierClocks::proposed() const {
  return static_cast<std::size_t>(std::ranges::count(workers, true, &BarrierClock::proposed));
}

std::size_t BarrierClocks::applied() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(workers, [](const BarrierClock& clock) { return clock.applied != 0 || clock.mixed; }));
}

BarrierClocks barrier_clocks(const Rollout& rollout) { return ClockEstimate(rollout).run(); }

std::string verdict(const BarrierClocks& clocks) {
  if (clocks.workers.size() < 2) return "One worker: there is no other clock to compare with.";
  Ns most = 0;
  std::size_t compared = 0;
  for (const BarrierClock& clock : clocks.workers) {
    compared += clock.has_offset() ? 1 : 0;
    if (clock.proposed) most = std::max(most, std::abs(clock.offset));
  }
  std::string text;
  if (compared == 0) {
    text = "It is unknown whether the clocks agree: " + clocks.workers.front().why + ".";
  } else if (const std::size_t off = clocks.proposed(); off > 0) {
    text = fmt::format("{} of {} clocks {}, by up to {}; aligned by barriers, all would agree within {}", off,
                       clocks.workers.size(), off == 1 ? "differs" : "differ", format_duration(most),
                       format_duration(clocks.residual_p90));
  } else {
    text = fmt::format("The clocks of {} workers agree within {}", compared, format_duration(clocks.before_p90));
  }
  if (compared > 0) text += fmt::format(" (90 % of barriers, {} {}).", clocks.steps, clocks.steps == 1 ? "step" : "steps");
  if (compared > 0 && compared < clocks.workers.size()) {
    text += fmt::format(" Unknown for {}.", clocks.workers.size() - compared);
  }
  if (clocks.applied() > 0) text += fmt::format(" Offsets are applied to {}.", clocks.applied());
  return text;
}

std::string remark(const BarrierClock& clock) {
  if (!clock.has_offset()) return clock.why;
  if (clock.proposed) return "differs";
  return std::abs(clock.offset) > kLeastClockOffset ? "not distinguishable from 0" : "";
}

ClockOffsets aligned(const Trace& trace, const BarrierClocks& clocks, const ClockOffsets& now) {
  ClockOffsets offsets = now;
  for (const BarrierClock& clock : clocks.workers) {
    if (!clock.proposed) continue;
    std::vector<FileClock> files;
    for (const std::uint32_t source : clock.sources) {
      files.push_back({trace.sources[source].path, trace.sources[source].clock_offset + clock.offset});
    }
    offsets = with_clocks(files, offsets);
  }
  return offsets;
}

ClockOffsets with_clock(const Trace& trace, const BarrierClock& worker, Ns offset, const ClockOffsets& now) {
  std::vector<FileClock> files;
  for (const std::uint32_t source : worker.sources) files.push_back({trace.sources[source].path, offset});
  return with_clocks(files, now);
}

}  // namespace tv
