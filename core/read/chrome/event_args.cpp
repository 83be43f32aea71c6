#include "core/read/chrome/event_args.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tv {
namespace {

std::errc read_number(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return end == text.data() + text.size() ? code : std::errc::invalid_argument;
}

}  // namespace

std::optional<double> counter_number(std::string_view text) {
  double value = 0;
  return read_number(text, value) == std::errc() ? std::optional(value) : std::nullopt;
}

std::int64_t sort_index_in(std::string_view text) {
  constexpr double kMost = 1e15;
  double value = 0;
  const std::errc code = read_number(text, value);
  const bool is_tiny = text.find("e-") != text.npos || text.find("E-") != text.npos;
  if (code == std::errc::result_out_of_range && !is_tiny) return static_cast<std::int64_t>(text.starts_with('-') ? -kMost : kMost);
  if (code != std::errc() || std::isnan(value)) return 0;
  return static_cast<std::int64_t>(std::clamp(value, -kMost, kMost));
}

}  // namespace tv
