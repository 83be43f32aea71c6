#include "core/analysis/requests/request_scatter.h"

#include <cmath>
#include <numeric>

namespace tv {
namespace {

constexpr std::array<std::string_view, kTimeShares> kShareNames = {"generation", "tool", "reward", "processing", "waiting"};

TimeShare share_of(RequestPhase phase) {
  switch (phase) {
    case RequestPhase::Engine: return TimeShare::Generation;
    case RequestPhase::Tool: return TimeShare::Tool;
    case RequestPhase::Reward: return TimeShare::Reward;
    case RequestPhase::Processing: return TimeShare::Processing;
    case RequestPhase::Pending:
    case RequestPhase::Other:
    case RequestPhase::kCount: break;
  }
  return TimeShare::Waiting;
}

void add(const Rollout& rollout, RequestIx request, TimeShares& seconds) {
  for (std::size_t p = 0; p < kRequestPhases; ++p) {
    const auto phase = static_cast<RequestPhase>(p);
    seconds[static_cast<std::size_t>(share_of(phase))] += rollout.phase_seconds(request, phase);
  }
}

TimeShares normalized(TimeShares seconds) {
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  for (double& s : seconds) s = sum > 0 ? s / sum : kNotMeasured;
  return seconds;
}

}  // namespace

std::string_view name(TimeShare share) { return kShareNames[static_cast<std::size_t>(share)]; }

RequestScatter request_scatter(const Rollout& rollout, const RequestSet& requests, RequestField x, RequestField y) {
  RequestScatter out;
  const std::vector<double> xs = field_values(rollout, x, requests), ys = field_values(rollout, y, requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (std::isnan(xs[i]) || std::isnan(ys[i])) {
      ++out.left_out;
      continue;
    }
    out.requests.push_back(requests[i]);
    out.x.push_back(xs[i]);
    out.y.push_back(ys[i]);
  }
  out.correlation = correlate(out.x, out.y);
  return out;
}

TimeShares time_shares(const Rollout& rollout, RequestIx request) {
  TimeShares seconds{};
  add(rollout, request, seconds);
  return normalized(seconds);
}

TimeShares time_shares(const Rollout& rollout, const RequestSet& requests) {
  TimeShares seconds{};
  for (const RequestIx r : requests) add(rollout, r, seconds);
  return normalized(seconds);
}

}  // namespace tv
