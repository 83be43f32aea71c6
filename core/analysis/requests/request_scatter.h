// Requests as dots: one field against another, with their correlation; and the shares of a request's time.
// Invariant: x and y have no NaN; shares of a request add up to 1. A request is waiting while the log reports no activity of it:
// in no event, and in the setup before the first turn (RequestPhase::Other and Pending).
// Cost: O(n log n). Units: those of the fields (request_fields.h).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/requests/request_fields.h"
#include "core/analysis/rollout/rollout.h"
#include "core/analysis/statistics/correlation.h"

namespace tv {

struct RequestScatter {
  RequestSet requests;      ///< requests with both values, in order
  std::vector<double> x, y;  ///< per request
  std::size_t left_out = 0;  ///< number of requests without one of the values
  Correlation correlation;
};
RequestScatter request_scatter(const Rollout& rollout, const RequestSet& requests, RequestField x, RequestField y);

enum class TimeShare : std::uint8_t { Generation, Tool, Reward, Processing, Waiting, kCount };
inline constexpr std::size_t kTimeShares = static_cast<std::size_t>(TimeShare::kCount);
std::string_view name(TimeShare share);
using TimeShares = std::array<double, kTimeShares>;

/// 0 to 1; all NaN for a request of zero length.
TimeShares time_shares(const Rollout& rollout, RequestIx request);
/// The shares of the total time of all requests, so that long requests weigh more.
TimeShares time_shares(const Rollout& rollout, const RequestSet& requests);

}  // namespace tv
