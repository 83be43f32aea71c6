// The slowest requests and where their time went.
//
// Our selection: the n longest requests, with exclusive phases, which add up to the duration. They are compared with the median
// request of the step, the middle one by duration, because medians of phases would not add up to anything.
// The selection of verl's script, in falling order of duration: ranks 50-59, 90-94 and 120-124 (from 0) and the last two (a
// leftover of debugging). The script sums nested events, so its shares add up to more than 100 %, and looks for the engine under
// a name that is no longer written.
// Unit: seconds. Cost: O(n log n). Source: verl's scripts, script req_analysis_and_cdf.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

/// The `n` longest requests, longest first; ties keep their order.
RequestSet slowest_requests(const Rollout& rollout, const RequestSet& among, std::size_t n);

/// The request with the median duration (the shorter one of two middle ones); none if the set is empty.
std::optional<RequestIx> median_request(const Rollout& rollout, const RequestSet& among);

struct PhaseShares {
  std::array<double, kRequestPhases> seconds{};
  std::array<double, kRequestPhases> percent{};  ///< adds up to 100; all 0 for a request without duration
};
PhaseShares phase_shares(const Rollout& rollout, RequestIx request);

/// The phase that accounts for most of the extra time of `slow`; Other if no phase is longer.
RequestPhase main_difference(const Rollout& rollout, RequestIx slow, RequestIx usual);

/// The positions that the script shows of a list of `n` requests, longest first; some appear twice if there are few requests.
std::vector<std::size_t> script_ranks(std::size_t n);

/// Sorts requests, which are indices into RolloutLog::requests: longest first; ties keep their order.
std::vector<std::uint32_t> longest_first(const RolloutLog& log, std::vector<std::uint32_t> requests);

using NamedSeconds = std::pair<std::string_view, double>;
/// The script's 14 phases of a request. `renamed`: engine_call and tool_parsing include the turn_ events that replaced them.
std::array<NamedSeconds, 14> script_phases(const RolloutRequest& request, bool renamed);

}  // namespace tv
