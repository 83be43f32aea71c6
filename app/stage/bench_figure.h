// Rounds the figures of `traceview bench` for printing. Cost: O(1).
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace tv {

/// Rounds to a multiple of `unit`, a power of ten that is at most 1. Goes through text, so that JSON prints no further digits.
inline double rounded(double value, double unit) {
  const auto decimals = static_cast<int>(std::lround(-std::log10(unit)));
  return std::stod(fmt::format("{:.{}f}", value, decimals));
}

}  // namespace tv
