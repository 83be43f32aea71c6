#include "core/store/draft/load_part.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/text/ascii.h"
#include "core/base/text/decimal_ns.h"

namespace tv {
namespace {

constexpr Ns kOpenBegin = INT64_MIN, kOpenLimit = INT64_MAX;

std::string without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return std::string(without_trailing_blanks(text));
}

}  // namespace

Result<TimeRange> parse_range(const std::string& text) {
  const std::size_t dots = text.find("..");
  const Error error{"not a time range: " + text, {}, {}, "write it as 1.5ms..2.5ms, 10s..20s, ..3s or 3s.."};
  if (dots == std::string::npos) return error;
  const std::string_view whole = text, first = whole.substr(0, dots), last = whole.substr(dots + 2);
  const std::optional<Ns> begin = first.empty() ? kOpenBegin : decimal_time(first);
  const std::optional<Ns> end = last.empty() ? kOpenLimit : decimal_time(last);
  if (!begin || !end || *begin >= *end) return error;
  return TimeRange{*begin, *end};
}

Result<LoadChoice> load_part(const std::string& ranks, const std::string& steps, const std::string& range) {
  LoadChoice part;
  if (const std::string text = without_blanks(ranks); !text.empty()) {
    auto parsed = parse_ranks(text);
    if (!parsed) return parsed.error();
    part.ranks = std::move(parsed.value());
  }
  if (const std::string text = without_blanks(steps); !text.empty()) {
    auto parsed = parse_ranks(text);
    if (!parsed) return parsed.error();
    part.steps = std::move(parsed.value());
  }
  if (const std::string text = without_blanks(range); !text.empty()) {
    auto parsed = parse_range(text);
    if (!parsed) return parsed.error();
    part.window = parsed.value();
  }
  return part;
}

}  // namespace tv
