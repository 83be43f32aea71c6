// The cumulative distribution of request durations: F(x_(i)) = i / n over the durations in rising order, drawn as straight
// segments from point to point as verl's scripts do. Unit: seconds, as in the log. Cost: O(n log n).
// Source: verl's scripts, scripts cdf_per_step and req_analysis_and_cdf.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/analysis/statistics/summary.h"

namespace tv {

inline constexpr std::array kCdfQuantiles = {0.50, 0.80, 0.90, 0.95, 0.99, 0.999};

struct RequestCdf {
  std::uint32_t group = 0;          ///< index of the step or worker; 0 for all requests
  std::vector<double> seconds;      ///< rising
  std::vector<RequestIx> requests;  ///< in the same order
  Summary summary;                  ///< its quantiles are kCdfQuantiles

  /// F at the request i, counted from 0 for the shortest; 1 at the last.
  double share(std::size_t i) const { return static_cast<double>(i + 1) / static_cast<double>(seconds.size()); }
  /// Share of the requests that took no longer than `t`; NaN if there are none.
  double at(double t) const;
  /// Indices of at most `most` points to draw (cdf_points.h).
  std::vector<std::size_t> points(std::size_t most) const;
};

RequestCdf request_cdf(const Rollout& rollout, const RequestSet& requests);

enum class CdfGroups : std::uint8_t { Steps, Workers };
/// One for each step or worker that has a request of the set with a duration, in order.
std::vector<RequestCdf> request_cdfs(const Rollout& rollout, const RequestSet& requests, CdfGroups groups);

}  // namespace tv
