#include "core/analysis/requests/request_breakdown.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/statistics/summary.h"

namespace tv {
namespace {

/// Longest first; requests without a duration come last.
bool longer(double a, double b) { return a > b || (std::isnan(b) && !std::isnan(a)); }

}  // namespace

RequestSet slowest_requests(const Rollout& rollout, const RequestSet& among, std::size_t n) {
  RequestSet out(std::min(n, among.size()));
  // Ties keep the order of `among`, which rises.
  std::ranges::partial_sort_copy(among, out, [&](RequestIx a, RequestIx b) {
    const double x = rollout.seconds[a], y = rollout.seconds[b];
    return longer(x, y) || (!longer(y, x) && a < b);
  });
  return out;
}

std::optional<RequestIx> median_request(const Rollout& rollout, const RequestSet& among) {
  if (among.empty()) return std::nullopt;
  RequestSet sorted = among;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
  std::ranges::nth_element(sorted, middle, [&](RequestIx a, RequestIx b) {
    const double x = rollout.seconds[a], y = rollout.seconds[b];
    return longer(y, x) || (!longer(x, y) && a < b);
  });
  return *middle;
}

PhaseShares phase_shares(const Rollout& rollout, RequestIx request) {
  PhaseShares out;
  Ns sum = 0;
  for (std::size_t p = 0; p < kRequestPhases; ++p) sum += rollout.exclusive[p][request];
  for (std::size_t p = 0; p < kRequestPhases; ++p) {
    const auto ns = static_cast<double>(rollout.exclusive[p][request]);
    out.seconds[p] = ns / 1e9;
    out.percent[p] = sum > 0 ? ns / static_cast<double>(sum) * 100 : 0;
  }
  return out;
}

RequestPhase main_difference(const Rollout& rollout, RequestIx slow, RequestIx usual) {
  RequestPhase most = RequestPhase::Other;
  Ns largest = 0;
  for (std::size_t p = 0; p < kRequestPhases; ++p) {
    const Ns more = rollout.exclusive[p][slow] - rollout.exclusive[p][usual];
    if (more <= largest) continue;
    largest = more;
    most = static_cast<RequestPhase>(p);
  }
  return most;
}

std::vector<std::size_t> script_ranks(std::size_t n) {
  std::vector<std::size_t> ranks;
  const auto add = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, n); ++i) ranks.push_back(i);
  };
  add(50, 60);
  add(90, 95);
  add(120, 125);
  add(n < 2 ? 0 : n - 2, n);
  return ranks;
}

std::vector<std::uint32_t> longest_first(const RolloutLog& log, std::vector<std::uint32_t> requests) {
  std::ranges::stable_sort(requests, [&](std::uint32_t a, std::uint32_t b) {
    return longer(log.requests[a].seconds, log.requests[b].seconds);
  });
  return requests;
}

std::array<NamedSeconds, 14> script_phases(const RolloutRequest& request, bool renamed) {
  using enum RolloutEvent;
  const auto sum = [&](RolloutEvent event) { return request.seconds_of[static_cast<std::size_t>(event)]; };
  return {{{"request_start", 0},
           {"main_loop", sum(main_loop)},
           {"pending_state_handling", sum(pending_state_handling)},
           {"tool_calling_state", sum(tool_calling_state)},
           {"tool_execution", sum(tool_execution)},
           {"tool_response_processing", sum(tool_response_processing)},
           {"tool_parsing", sum(tool_parsing) + (renamed ? sum(turn_tool_parsing) : 0)},
           {"running_state", sum(running_state)},
           {"engine_call", sum(engine_call) + (renamed ? sum(turn_engine_call) : 0)},
           {"interacting_state", sum(interacting_state)},
           {"interaction_response", sum(interaction_response)},
           {"reward_calculation", sum(reward_calculation)},
           {"finalization", sum(finalization)},
           {"async_rollout_request_complete", request.seconds}}};
}

}  // namespace tv
