// Names of verl's metrics: aliases used by other versions, and the durations of a step. Times are in seconds. Source: verl's
// console, verl's file logger.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace tv {

/// "timing(s)/gen", "timing/gen", "timing_s/timing_s/gen" -> "timing_s/gen"; other names unchanged.
std::string canonical_metric(std::string_view name);

inline constexpr std::string_view kTimingPrefix = "timing_s/", kPerTokenPrefix = "timing_per_token_ms/";

/// A longer duration is a wrong number.
inline constexpr Ns kLongestStep = 30LL * 86'400 * kSecond;

/// Durations that follow each other within a step, in this order, without their prefix. `update_critic_actor` replaces
/// update_critic and update_actor if present.
std::span<const std::string_view> verl_phases();

/// Whether a metric with the prefix timing_s/ is a duration: some are counts and ratios.
bool is_verl_duration(std::string_view name);

}  // namespace tv
