// Formats numbers for tables, facts and labels, rounded; a missing number is "-". Programs get full precision (chart_cell.h).
#pragma once

#include <cstdint>
#include <string>

#include "core/base/time.h"

namespace tv {

/// A position on the timeline: "1.234567 s".
std::string time_text(Ns t);
/// A computed length; "-" for NaN.
std::string ns_text(double ns);
/// "12.34 s", "1.5 ms"; "-" for NaN.
std::string seconds_text(double seconds);
/// With the given number of decimals; "-" for NaN.
std::string decimals(double value, int digits);
/// The share in per cent; 0 if `whole` is 0.
double percent_of(Ns part, Ns whole);
/// "12.3 %"; "-" for NaN.
std::string percent_text(double percent);
/// "12,345"; "-" for a negative number, which means that it is missing.
std::string count_or_dash(std::int64_t n);

}  // namespace tv
