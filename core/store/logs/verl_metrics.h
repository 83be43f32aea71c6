// The names of verl's metrics: which names of older versions mean the same, and which metrics are durations. Source: verl's
// console, verl's file logger.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace tv {

/// "timing(s)/gen", "timing/gen", "timing_s/timing_s/gen" -> "timing_s/gen", and the same for times per token. Returns other names
/// unchanged.
std::string canonical_metric(std::string_view name);

/// The metrics with these prefixes are in seconds and milliseconds.
inline constexpr std::string_view kTimingPrefix = "timing_s/", kPerTokenPrefix = "timing_per_token_ms/";

/// A log that states a longer duration of a step, or of a part of it, is in error.
inline constexpr Ns kLongestStep = 30LL * 86'400 * kSecond;

/// The phases of a step in the order in which they run: metrics without the prefix timing_s/. If a step has update_critic_actor,
/// that stands for its update_critic and update_actor.
std::span<const std::string_view> verl_phases();

/// Whether a metric is a duration. Those with the prefix timing_s/ are, except for some counts and ratios.
bool is_verl_duration(std::string_view name);

}  // namespace tv
