#include "core/analysis/rollout/in_flight.h"

#include <algorithm>

#include "core/analysis/rollout/engine_calls.h"
#include "core/analysis/rollout/rollout_parts.h"
#include "core/analysis/rollout/worker_phases.h"

namespace tv {
namespace {

struct Edge {
  Ns time = 0;
  double change = 0;
  int open = 0;  ///< 1: something begins, -1: it ends
};

// Sums of doubles do not return exactly to zero, so the value is set to 0 where nothing is open.
StepFunction sum_up(std::vector<Edge> edges) {
  std::ranges::sort(
      edges, [](const Edge& a, const Edge& b) { return a.time != b.time ? a.time < b.time : a.change < b.change; });
  StepFunction out;
  double value = 0;
  std::int64_t open = 0;
  for (std::size_t e = 0; e < edges.size();) {
    const Ns time = edges[e].time;
    for (; e < edges.size() && edges[e].time == time; ++e) {
      value += edges[e].change;
      open += edges[e].open;
    }
    if (open == 0) value = 0;
    if (value == (out.value.empty() ? 0 : out.value.back())) continue;
    out.time.push_back(time);
    out.value.push_back(value);
  }
  return out;
}

// The number of points at or before t.
std::size_t points_until(const StepFunction& function, Ns t) {
  return static_cast<std::size_t>(std::ranges::upper_bound(function.time, t) - function.time.begin());
}

// Integrates from point `next` on, the first after range.begin; moves `next` to the first after range.end.
double integrate(const StepFunction& function, TimeRange range, std::size_t& next) {
  double sum = 0;
  for (Ns t = range.begin; t < range.end;) {
    const bool more = next < function.time.size() && function.time[next] <= range.end;
    const Ns until = more ? function.time[next] : range.end;
    if (next > 0) sum += function.value[next - 1] * to_seconds(until - t);
    t = until;
    if (more) ++next;
  }
  return sum;
}

}  // namespace

double StepFunction::at(Ns t) const {
  const std::size_t n = points_until(*this, t);
  return n == 0 ? 0 : value[n - 1];
}

double StepFunction::integral(TimeRange range) const {
  std::size_t next = points_until(*this, range.begin);
  return integrate(*this, range, next);
}

StepFunction requests_in_flight(const Rollout& rollout, const RequestSet& requests) {
  std::vector<Edge> edges;
  edges.reserve(2 * requests.size());
  for (const RequestIx r : requests) {
    if (rollout.end[r] <= rollout.begin[r]) continue;
    edges.push_back({rollout.begin[r], 1, 1});
    edges.push_back({rollout.end[r], -1, -1});
  }
  return sum_up(std::move(edges));
}

StepFunction token_rate(const Rollout& rollout, const RequestSet& requests) {
  std::vector<Edge> edges;
  for (const EngineCall& call : engine_calls(rollout, requests)) {
    if (call.tokens <= 0) continue;
    const double rate = call.tokens / to_seconds(call.end - call.begin);
    edges.push_back({call.begin, rate, 1});
    edges.push_back({call.end, -rate, -1});
  }
  return sum_up(std::move(edges));
}

StepFunction completions(const Rollout& rollout, const RequestSet& requests) {
  std::vector<Edge> edges;
  edges.reserve(requests.size());
  for (const RequestIx r : requests) edges.push_back({rollout.end[r], 1, 1});
  return sum_up(std::move(edges));
}

std::vector<WorkersInPhase> workers_in_phases(const Rollout& rollout, std::uint32_t step) {
  std::vector<WorkersInPhase> out;
  for (const std::string_view event : kWorkerEvents) {
    const StrId id = event == kTotal ? kNone<StrId> : rollout.log().texts.find(event);
    if (id == kNone<StrId>) continue;
    std::vector<Edge> edges;
    for (const WorkerStep& file : files_of_step(rollout, step)) {
      for (const std::uint32_t p : file.phases) {
        const RolloutPhase& phase = rollout.log().phases[p];
        const Ns length = to_ns(lasted(phase));
        if (phase.event != idx(id) || length == 0) continue;
        edges.push_back({phase.end - length, 1, 1});
        edges.push_back({phase.end, -1, -1});
      }
    }
    if (!edges.empty()) out.push_back({event, sum_up(std::move(edges))});
  }
  return out;
}

TimeRange bin_of(TimeRange range, std::size_t bins, std::size_t bin) {
  // In two steps, because length * bin can overflow for long ranges and many bins.
  const auto edge = [&](std::size_t i) {
    const Ns n = static_cast<Ns>(bins), at = static_cast<Ns>(i), whole = range.length() / n, rest = range.length() % n;
    return range.begin + whole * at + rest * at / n;
  };
  return {edge(bin), edge(bin + 1)};
}

std::vector<double> bin_means(const StepFunction& function, TimeRange range, std::size_t bins) {
  std::vector<double> out(bins, 0);
  if (range.length() < 0) return out;
  std::size_t next = points_until(function, range.begin);
  for (std::size_t b = 0; b < bins; ++b) {
    const TimeRange bin = bin_of(range, bins, b);
    out[b] = bin.empty() ? function.at(bin.begin) : integrate(function, bin, next) / to_seconds(bin.length());
  }
  return out;
}

Stall longest_stall(const Rollout& rollout, const RequestSet& requests) {
  std::vector<Ns> ends;
  for (const RequestIx r : requests) ends.push_back(rollout.end[r]);
  std::ranges::sort(ends);
  Stall out;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    if (ends[i] - ends[i - 1] > out.between.length()) out.between = {ends[i - 1], ends[i]};
  }
  if (out.between.empty()) return out;
  out.in_flight = requests_in_flight(rollout, requests).integral(out.between) / to_seconds(out.between.length());
  out.tokens = token_rate(rollout, requests).integral(out.between);
  return out;
}

}  // namespace tv
