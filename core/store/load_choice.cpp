#include "core/store/load_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace tv {
namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

bool chosen(const std::vector<RankSpan>& spans, std::optional<std::int64_t> number) {
  return spans.empty() || !number ||
         std::ranges::any_of(spans, [&](const RankSpan& span) { return span.first <= *number && *number <= span.last; });
}

std::string ranks_text(const std::vector<RankSpan>& ranks) {
  std::string text;
  for (const RankSpan& span : ranks) {
    if (!text.empty()) text += ',';
    text += span.first == span.last ? fmt::format("{}", span.first) : fmt::format("{}..{}", span.first, span.last);
  }
  return text;
}

std::string LoadChoice::text() const {
  std::string text;
  if (!ranks.empty()) text = "ranks " + ranks_text(ranks);
  if (!steps.empty()) text += (text.empty() ? "steps " : "; steps ") + ranks_text(steps);
  if (window) {
    if (!text.empty()) text += "; ";
    text += format_exact(window->begin) + " .. " + format_exact(window->end);
    if (clock == Clock::Absolute) text += " since the epoch";
  }
  return text;
}

Result<std::vector<RankSpan>> parse_ranks(const std::string& text) {
  std::vector<RankSpan> ranks;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const std::size_t dots = part.find("..");
    const auto first = whole_number(part.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : whole_number(part.substr(dots + 2));
    if (!first || !last || *first > *last) return Error{"not ranks: " + text, {}, {}, "write them as 0, 0..3 or 0..3,5"};
    ranks.push_back({*first, *last});
    if (comma == std::string_view::npos) return ranks;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace tv
