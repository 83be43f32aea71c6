#include "core/analysis/rollout/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/analysis/rollout/rollout_parts.h"
#include "core/analysis/statistics/summary.h"
#include "core/base/text/count_text.h"

namespace tv {
namespace {

// When each request of a step ends under a rule, in request order.
using Ends = std::vector<Ns>;

// Like quantile() in summary.h, but without sorting all values.
double quantile_of(std::vector<double> values, double p) {
  const double h = static_cast<double>(values.size() - 1) * p;
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(h);
  std::ranges::nth_element(values, low);
  if (low + 1 == values.end()) return *low;
  const double next = *std::min_element(low + 1, values.end());
  return *low + (next - *low) * (h - std::floor(h));
}

Ends truncate_duration(const Rollout& rollout, const RolloutStep& step, double p) {
  std::vector<double> lengths;
  for (RequestIx r = step.first; r < step.end; ++r) {
    lengths.push_back(static_cast<double>(rollout.end[r] - rollout.begin[r]));
  }
  const Ns most = static_cast<Ns>(std::ceil(quantile_of(std::move(lengths), std::clamp(p, 0.0, 1.0))));
  Ends out;
  for (RequestIx r = step.first; r < step.end; ++r) out.push_back(std::min(rollout.end[r], rollout.begin[r] + most));
  return out;
}

Ends truncate_tokens(const Rollout& rollout, const RolloutStep& step, double most) {
  Ends out;
  for (RequestIx r = step.first; r < step.end; ++r) out.push_back(truncated_end(rollout, r, most));
  return out;
}

Ends drop_late(const Rollout& rollout, const RolloutStep& step, double share) {
  Ends out(rollout.end.begin() + step.first, rollout.end.begin() + step.end);
  const auto n = static_cast<double>(out.size());
  const auto enough = static_cast<std::size_t>(std::ceil(std::clamp(share, 0.0, 1.0) * n - 1e-9));
  // At least one request has to complete, or there is nothing to train on.
  Ends in_order = out;
  const auto at = in_order.begin() + static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(enough, 1, out.size()) - 1);
  std::ranges::nth_element(in_order, at);
  const Ns last = *at;
  for (Ns& end : out) end = std::min(end, last);
  return out;
}

struct Replayed {
  Ns end = 0;  ///< end of the step's generation
  std::size_t touched = 0;
};

// The work of a request is its duration. Every worker runs at the step's mean pace: seconds of requests per second of a worker's
// generation. So a worker needs its work divided by the pace, but no less than its longest request.
Replayed rebalance(const Rollout& rollout, const RolloutStep& step, std::span<const WorkerStep> files) {
  struct Worker {
    std::uint32_t worker = 0;
    Ns begin = 0;  ///< begin of its first request, or of the step's generation if it has none
    Ns end = 0;
    double work = 0, longest = 0;
  };
  std::vector<Worker> workers;
  const Ns first_begin = *std::min_element(rollout.begin.begin() + step.first, rollout.begin.begin() + step.end);
  double work = 0, generating = 0;
  std::map<std::uint32_t, std::size_t> worker_of;  // index into `workers`
  for (std::size_t f = 0; f < files.size();) {     // a worker's files follow each other
    Worker worker{files[f].worker, first_begin, first_begin, 0, 0};
    bool any = false;
    for (; f < files.size() && files[f].worker == worker.worker; ++f) {
      for (RequestIx r = files[f].first; r < files[f].end; ++r) {
        worker.begin = any ? std::min(worker.begin, rollout.begin[r]) : rollout.begin[r];
        worker.end = any ? std::max(worker.end, rollout.end[r]) : rollout.end[r];
        work += to_seconds(rollout.end[r] - rollout.begin[r]);
        any = true;
      }
    }
    generating += to_seconds(worker.end - worker.begin);
    worker_of.emplace(worker.worker, workers.size());
    workers.push_back(worker);
  }
  const Ns last = *std::max_element(rollout.end.begin() + step.first, rollout.end.begin() + step.end);
  if (generating <= 0) return {last, 0};
  const double pace = work / generating;

  std::vector<std::pair<Ns, RequestIx>> longest_first;  // length negated, so that ties sort by index
  for (RequestIx r = step.first; r < step.end; ++r) longest_first.emplace_back(rollout.begin[r] - rollout.end[r], r);
  std::ranges::sort(longest_first);
  std::set<std::pair<double, std::size_t>> least_first;  // the work of each worker, and its index
  for (std::size_t w = 0; w < workers.size(); ++w) least_first.emplace(0, w);
  Replayed out{first_begin, 0};
  for (const auto& [negative_length, r] : longest_first) {
    // On a tie the request stays on its present worker, so that balanced work is not moved.
    std::size_t to = least_first.begin()->second;
    const std::size_t present = worker_of.at(rollout.worker[r]);
    if (workers[present].work <= workers[to].work) to = present;
    const double length = to_seconds(-negative_length);
    auto entry = least_first.extract({workers[to].work, to});
    workers[to].work += length;
    workers[to].longest = std::max(workers[to].longest, length);
    entry.value().first = workers[to].work;
    least_first.insert(std::move(entry));
    out.touched += to == present ? 0 : 1;
  }
  for (const Worker& worker : workers) {
    out.end = std::max(out.end, worker.begin + to_ns(std::max(worker.work / pace, worker.longest)));
  }
  if (out.end >= last) return {last, 0};  // moving would gain nothing
  return out;
}

Replayed replay(const Rollout& rollout, const RolloutStep& step, std::span<const WorkerStep> files,
                const WhatIfRule& rule) {
  if (rule.kind == WhatIfRule::Kind::Rebalance) return rebalance(rollout, step, files);
  const Ends ends = rule.kind == WhatIfRule::Kind::TruncateDuration ? truncate_duration(rollout, step, rule.at)
                    : rule.kind == WhatIfRule::Kind::TruncateTokens ? truncate_tokens(rollout, step, rule.at)
                                                                    : drop_late(rollout, step, rule.at);
  Replayed out{*std::ranges::max_element(ends), 0};
  for (std::size_t i = 0; i < ends.size(); ++i) out.touched += ends[i] < rollout.end[step.first + i] ? 1 : 0;
  return out;
}

}  // namespace

std::string describe(const WhatIfRule& rule) {
  switch (rule.kind) {
    case WhatIfRule::Kind::TruncateDuration: return fmt::format("truncate at P{:g} of duration", 100 * rule.at);
    case WhatIfRule::Kind::TruncateTokens:
      return fmt::format("at most {} tokens", format_count(static_cast<std::uint64_t>(std::max(rule.at, 0.0))));
    case WhatIfRule::Kind::DropLate: return fmt::format("drop what still runs when {:g} % have completed", 100 * rule.at);
    case WhatIfRule::Kind::Rebalance: return "rebalance";
  }
  return {};
}

std::string_view assumptions(WhatIfRule::Kind kind) {
  switch (kind) {
    case WhatIfRule::Kind::TruncateDuration:
      return "Replay estimate. Assumes that a request stops the moment it has lasted as long as the quantile of its "
             "step's durations, that the others run as fast as they did although fewer are under way, and that what "
             "comes after the barrier takes as long as before.";
    case WhatIfRule::Kind::TruncateTokens:
      return "Replay estimate. Assumes that the tokens of a turn come evenly over its engine call, that no turn or "
             "tool call follows the limit, that the others run as fast as they did although fewer are under way, and "
             "that what comes after the barrier takes as long as before. Counts tokens of the model, not those of "
             "tools.";
    case WhatIfRule::Kind::DropLate:
      return "Replay estimate. Assumes that all workers stop at once when this share of the step's requests has "
             "completed, that the remaining ones are dropped and not missed (more were sampled than needed), and that "
             "what comes after the barrier takes as long as before.";
    case WhatIfRule::Kind::Rebalance:
      return "Replay estimate. Requests are dealt to the workers anew, longest first, each to the worker with the least "
             "work, as if their lengths were known in advance. Assumes that a worker's generation takes its share of the "
             "step's work (the sum of request durations) at the mean pace of all workers of the step, but no less "
             "than its longest request.";
  }
  return {};
}

Ns truncated_end(const Rollout& rollout, RequestIx request, double most) {
  const Ns end = rollout.end[request];
  most = std::max(most, 0.0);
  const auto turns = rollout.turns_of(request);
  const bool placed = !turns.empty() && std::ranges::all_of(turns, [](const RolloutTurn& t) {
    return t.tokens >= 0 && t.engine_end >= 0;
  });
  Ns removed = 0;
  if (placed) {
    double before = 0;
    for (const RolloutTurn& turn : turns) {
      if (before + turn.tokens > most) {
        const double kept_share = (most - before) / turn.tokens;
        const Ns cut = turn.engine_end - to_ns((1 - kept_share) * turn.engine_call);
        removed = turns.back().engine_end - cut;
        break;
      }
      before += turn.tokens;
    }
  } else if (rollout.tokens[request] > most) {
    // The log does not say when the tokens came, so engine and tool time are cut in proportion.
    const double kept_share = most / rollout.tokens[request];
    const double cuttable =
        rollout.phase_seconds(request, RequestPhase::Engine) + rollout.phase_seconds(request, RequestPhase::Tool);
    removed = to_ns((1 - kept_share) * cuttable);
  }
  return std::clamp(end - removed, rollout.begin[request], end);
}

WhatIf what_if(const Rollout& rollout, const WhatIfRule& rule) {
  WhatIf out;
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    const RolloutStep& step = rollout.steps[s];
    const auto files = files_of_step(rollout, s);
    WhatIfStep row;
    row.step = s;
    row.seconds = to_seconds(step.extent.length());
    row.requests = step.end - step.first;
    if (row.requests > 0) {
      const Ns last = *std::max_element(rollout.end.begin() + step.first, rollout.end.begin() + step.end);
      const Replayed replayed = replay(rollout, step, files, rule);
      row.saved = std::max(to_seconds(last - replayed.end), 0.0);
      row.touched = replayed.touched;
      row.worker_seconds = row.saved * static_cast<double>(worker_count(files));
    }
    out.seconds += row.seconds;
    out.saved += row.saved;
    out.worker_seconds += row.worker_seconds;
    out.requests += row.requests;
    out.touched += row.touched;
    out.steps.push_back(row);
  }
  return out;
}

}  // namespace tv
