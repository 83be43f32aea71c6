#include "core/read/chrome/event_args.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tv {

std::optional<double> counter_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::int64_t sort_index_in(std::string_view text) {
  constexpr double kMost = 1e15;
  const double value = counter_number(text).value_or(0);
  return std::isnan(value) ? 0 : static_cast<std::int64_t>(std::clamp(value, -kMost, kMost));
}

}  // namespace tv
