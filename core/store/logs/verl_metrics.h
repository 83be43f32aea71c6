// Names of verl's metrics: names that differ in other versions, and the durations that a step is made of. Times are
// seconds. Source: verl's console, verl's file logger.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace tv {

/// "timing(s)/gen", "timing/gen", "timing_s/timing_s/gen" -> "timing_s/gen"; other names as they are.
std::string canonical_metric(std::string_view name);

inline constexpr std::string_view kTimingPrefix = "timing_s/", kPerTokenPrefix = "timing_per_token_ms/";

/// A duration that is longer is a wrong number.
inline constexpr Ns kLongestStep = 30LL * 86'400 * kSecond;

/// Durations that follow each other within a step, in this order, without their prefix. `update_critic_actor` stands for
/// update_critic and update_actor where it is there.
std::span<const std::string_view> verl_phases();

/// Whether a metric that begins with timing_s/ is a duration: some are counts and ratios.
bool is_verl_duration(std::string_view name);

}  // namespace tv
