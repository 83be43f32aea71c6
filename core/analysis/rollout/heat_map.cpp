#include "core/analysis/rollout/heat_map.h"

#include <algorithm>
#include <limits>

#include "core/analysis/rollout/engine_calls.h"
#include "core/analysis/rollout/rollout_parts.h"

namespace tv {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

struct Measure {
  std::string_view word, name, meaning;
};
constexpr std::array<Measure, kHeatMeasures> kMeasures = {{
    {"busy", "busy (%)", "Share of the step's length with at least one of the worker's requests under way."},
    {"tail", "tail (s)", "From the time when half of the worker's requests had completed to its last completion."},
    {"tokens", "tokens", "Tokens that the model generated for the worker's requests."},
    {"wait", "barrier wait (s)", "Time the worker waited at the barrier."},
    {"requests", "requests", "Requests that the worker completed."},
    {"tokens_per_second", "engine tokens/s", "Tokens of the worker's engine calls over the time with at least one of them under way."},
}};

// The files of one worker in one step.
using Files = std::span<const WorkerStep>;

RequestSet requests_of(Files files, const RequestSet& among) {
  RequestSet out;
  for (const WorkerStep& file : files) {
    out.insert(out.end(), std::ranges::lower_bound(among, file.first), std::ranges::lower_bound(among, file.end));
  }
  return out;
}

double busy_percent(const Rollout& rollout, const RequestSet& requests, TimeRange step) {
  if (step.empty()) return kUndefined;
  std::vector<TimeRange> ranges;
  for (const RequestIx r : requests) {
    ranges.push_back({std::max(rollout.begin[r], step.begin), std::min(rollout.end[r], step.end)});
  }
  return 100 * static_cast<double>(union_length(std::move(ranges))) / static_cast<double>(step.length());
}

double tail_seconds(const Rollout& rollout, const RequestSet& requests) {
  if (requests.empty()) return kUndefined;
  std::vector<Ns> ends;
  for (const RequestIx r : requests) ends.push_back(rollout.end[r]);
  const auto half = ends.begin() + static_cast<std::ptrdiff_t>((ends.size() + 1) / 2 - 1);  // rounded up
  std::ranges::nth_element(ends, half);
  return to_seconds(*std::max_element(half, ends.end()) - *half);
}

double token_sum(const Rollout& rollout, const RequestSet& requests) {
  double sum = requests.empty() ? 0 : kUndefined;
  for (const RequestIx r : requests) {
    if (rollout.tokens[r] >= 0) sum = (sum >= 0 ? sum : 0) + rollout.tokens[r];
  }
  return sum;
}

double wait_seconds(const Rollout& rollout, Files files, StrId barrier) {
  double sum = kUndefined;
  for (const WorkerStep& file : files) {
    for (const std::uint32_t p : file.phases) {
      const RolloutPhase& phase = rollout.log().phases[p];
      if (barrier != kNone<StrId> && phase.event == idx(barrier)) sum = (sum >= 0 ? sum : 0) + lasted(phase);
    }
  }
  return sum;
}

double tokens_per_second(const Rollout& rollout, const RequestSet& requests) {
  double tokens = 0;
  std::vector<TimeRange> calls;
  for (const EngineCall& call : engine_calls(rollout, requests)) {
    if (call.tokens < 0) continue;
    tokens += call.tokens;
    calls.push_back({call.begin, call.end});
  }
  const Ns length = union_length(std::move(calls));
  return length > 0 ? tokens / to_seconds(length) : kUndefined;
}

using Values = std::array<double, kHeatMeasures>;

Values values_of(const Rollout& rollout, Files files, const RequestSet& among, StrId barrier) {
  const RequestSet requests = requests_of(files, among);
  Values out{};
  const auto set = [&out](HeatMeasure m, double v) { out[static_cast<std::size_t>(m)] = v; };
  set(HeatMeasure::Busy, busy_percent(rollout, requests, rollout.steps[files[0].step].extent));
  set(HeatMeasure::Tail, tail_seconds(rollout, requests));
  set(HeatMeasure::Tokens, token_sum(rollout, requests));
  set(HeatMeasure::Wait, wait_seconds(rollout, files, barrier));
  set(HeatMeasure::Requests, static_cast<double>(requests.size()));
  set(HeatMeasure::TokensPerSecond, tokens_per_second(rollout, requests));
  return out;
}

// Calls `visit` with the files of each worker in a step, one after the other.
template <class Visit>
void each_cell(Files files, Visit visit) {
  for (std::size_t first = 0, last = 0; first < files.size(); first = last) {
    while (last < files.size() && files[last].step == files[first].step && files[last].worker == files[first].worker) {
      ++last;
    }
    visit(files.subspan(first, last - first));
  }
}

}  // namespace

std::string_view word_of(HeatMeasure measure) { return kMeasures[static_cast<std::size_t>(measure)].word; }
std::optional<HeatMeasure> heat_measure(std::string_view word) {
  const auto at = std::ranges::find(kMeasures, word, &Measure::word);
  if (at == kMeasures.end()) return std::nullopt;
  return static_cast<HeatMeasure>(at - kMeasures.begin());
}
std::string_view name(HeatMeasure measure) { return kMeasures[static_cast<std::size_t>(measure)].name; }
std::string_view meaning(HeatMeasure measure) { return kMeasures[static_cast<std::size_t>(measure)].meaning; }

HeatMap heat_map(const Rollout& rollout) { return heat_map(rollout, all_requests(rollout)); }

HeatMap heat_map(const Rollout& rollout, const RequestSet& among) {
  HeatMap out;
  out.steps = rollout.steps.size();
  out.workers = rollout.workers.size();
  for (auto& values : out.value) values.assign(out.steps * out.workers, kUndefined);
  out.worker_step.assign(out.steps * out.workers, HeatMap::kNoFile);

  const StrId barrier = barrier_event(rollout);
  each_cell(rollout.worker_steps, [&](Files files) {
    const std::size_t cell = out.cell(files[0].worker, files[0].step);
    out.worker_step[cell] = worker_step_index(rollout, files[0]);
    const Values values = values_of(rollout, files, among, barrier);
    for (std::size_t m = 0; m < kHeatMeasures; ++m) out.value[m][cell] = values[m];
  });
  return out;
}

std::vector<double> heat_of_workers(const Rollout& rollout, HeatMeasure measure, std::uint32_t step) {
  std::vector<double> out(rollout.workers.size(), kUndefined);
  if (step >= rollout.steps.size()) return out;
  const StrId barrier = barrier_event(rollout);
  const RequestSet among = requests_of(files_of_step(rollout, step), all_requests(rollout));
  each_cell(files_of_step(rollout, step), [&](Files files) {
    out[files[0].worker] = values_of(rollout, files, among, barrier)[static_cast<std::size_t>(measure)];
  });
  return out;
}

}  // namespace tv
