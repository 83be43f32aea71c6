#include "core/view/words/number_words.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/text/count_text.h"

namespace tv {

std::string time_text(Ns t) { return format_time(t, kMicrosecond); }

std::string ns_text(double ns) {
  return std::isfinite(ns) ? format_duration(static_cast<Ns>(std::llround(ns))) : std::string("-");
}

std::string seconds_text(double seconds) {
  // A length of more than 95 years is an error of the log, and might not fit into nanoseconds.
  if (!(std::abs(seconds) < 3e9)) return "-";
  return format_duration(static_cast<Ns>(std::llround(seconds * 1e9)));
}

std::string decimals(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  const std::string text = fmt::format("{:.{}f}", value, digits);
  // A value that rounds to zero is written without a sign.
  return text.starts_with('-') && text.find_first_not_of("-0.") == text.npos ? text.substr(1) : text;
}

double percent_of(Ns part, Ns whole) {
  return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string percent_text(double percent) { return std::isfinite(percent) ? decimals(percent, 1) + " %" : "-"; }

std::string count_or_dash(std::int64_t n) { return n < 0 ? "-" : format_count(static_cast<std::uint64_t>(n)); }

}  // namespace tv
