#include "core/store/draft/load_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

// "0", "0..3"
std::optional<RankSpan> span_of_numbers(std::string_view text) {
  const std::size_t dots = text.find("..");
  const auto first = whole_number(text.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : whole_number(text.substr(dots + 2));
  if (!first || !last || *first > *last) return std::nullopt;
  return RankSpan{*first, *last};
}

bool within(const RankSpan& span, std::int64_t number) { return span.first <= number && number <= span.last; }

std::string span_text(const RankSpan& span) {
  return span.first == span.last ? fmt::format("{}", span.first) : fmt::format("{}..{}", span.first, span.last);
}

// Calls take(part) for each part between commas, as long as it returns true.
template <class Take>
bool each_part(std::string_view text, Take take) {
  while (true) {
    const std::size_t comma = text.find(',');
    if (!take(text.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

bool chosen(const std::vector<RankSpan>& spans, std::optional<std::int64_t> number) {
  return spans.empty() || !number ||
         std::ranges::any_of(spans, [&](const RankSpan& span) { return within(span, *number); });
}

bool chosen(const std::vector<DeviceSpan>& devices, std::string_view machine, std::optional<std::int64_t> number) {
  return devices.empty() || !number || std::ranges::any_of(devices, [&](const DeviceSpan& span) {
           return (span.machine.empty() || span.machine == machine) && within(span.numbers, *number);
         });
}

std::string ranks_text(const std::vector<RankSpan>& ranks) {
  std::string text;
  for (const RankSpan& span : ranks) {
    if (!text.empty()) text += ',';
    text += span_text(span);
  }
  return text;
}

std::string devices_text(const std::vector<DeviceSpan>& devices) {
  std::string text;
  for (const DeviceSpan& span : devices) {
    if (!text.empty()) text += ',';
    if (!span.machine.empty()) text += span.machine + '/';
    text += span_text(span.numbers);
  }
  return text;
}

std::string LoadChoice::text() const {
  std::string text;
  if (!ranks.empty()) text = "ranks " + ranks_text(ranks);
  if (!steps.empty()) text += (text.empty() ? "steps " : "; steps ") + ranks_text(steps);
  if (!devices.empty()) text += (text.empty() ? "devices " : "; devices ") + devices_text(devices);
  if (!roles.empty()) text += fmt::format("{}roles {}", text.empty() ? "" : "; ", fmt::join(roles, ","));
  if (window) {
    if (!text.empty()) text += "; ";
    text += format_exact(window->begin) + " .. " + format_exact(window->end);
    if (clock == Clock::Absolute) text += " since the epoch";
  }
  return text;
}

bool chosen(const std::vector<std::string>& roles, std::string_view role) {
  if (roles.empty() || role.empty()) return true;
  const std::string lower = lower_case(role);
  return std::ranges::any_of(roles, [&](const std::string& wanted) { return lower.find(wanted) != std::string::npos; });
}

Result<std::vector<std::string>> parse_roles(const std::string& text) {
  std::vector<std::string> roles;
  const bool good = each_part(text, [&](std::string_view part) {
    std::string role = lower_case(part);
    const bool named = !role.empty();
    if (named && std::ranges::find(roles, role) == roles.end()) roles.push_back(std::move(role));
    return named;
  });
  if (!good) return Error{"not roles: " + text, {}, {}, "write them as actor or actor,critic"};
  return roles;
}

Result<std::vector<RankSpan>> parse_ranks(const std::string& text) {
  std::vector<RankSpan> ranks;
  const bool good = each_part(text, [&](std::string_view part) {
    const auto span = span_of_numbers(part);
    if (span) ranks.push_back(*span);
    return span.has_value();
  });
  if (!good) return Error{"not ranks: " + text, {}, {}, "write them as 0, 0..3 or 0..3,5"};
  return ranks;
}

Result<std::vector<DeviceSpan>> parse_devices(const std::string& text) {
  std::vector<DeviceSpan> devices;
  const bool good = each_part(text, [&](std::string_view part) {
    const std::size_t slash = part.rfind('/');
    const bool machine = slash != std::string_view::npos;
    const auto span = span_of_numbers(machine ? part.substr(slash + 1) : part);
    if (!span || slash == 0) return false;
    devices.push_back({std::string(machine ? part.substr(0, slash) : std::string_view()), *span});
    return true;
  });
  if (!good) return Error{"not devices: " + text, {}, {}, "write them as 0, 0..3,5 or machine1/0..3"};
  return devices;
}

}  // namespace tv
