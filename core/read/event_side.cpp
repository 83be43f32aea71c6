#include "core/read/event_side.h"

#include <algorithm>
#include <charconv>

#include "core/read/find_text.h"
#include "core/read/json_scan.h"

namespace tv {
namespace {

struct CategoryRule {
  std::string_view category;
  EventSide side;
  LaunchEnd end;
};

// The capitalised ones are those of 2021. Synchronisation lies on a stream or on a lane of its own, whose side other work tells.
constexpr CategoryRule kCategoryRules[] = {
    {"kernel", EventSide::Device, LaunchEnd::Work},
    {"gpu_memcpy", EventSide::Device, LaunchEnd::Work},
    {"gpu_memset", EventSide::Device, LaunchEnd::Work},
    {"Kernel", EventSide::Device, LaunchEnd::Work},
    {"Memcpy", EventSide::Device, LaunchEnd::Work},
    {"Memset", EventSide::Device, LaunchEnd::Work},
    {"cuda_sync", EventSide::Unknown, LaunchEnd::Work},
    {"cuda_event", EventSide::Unknown, LaunchEnd::Work},
    {"mtia_ccp_events", EventSide::Unknown, LaunchEnd::Work},
    {"hpu_op", EventSide::Unknown, LaunchEnd::Work},
    {"collective_comm", EventSide::Unknown, LaunchEnd::Work},
    {"cpu_op", EventSide::Host, LaunchEnd::None},
    {"Operator", EventSide::Host, LaunchEnd::None},
    {"user_annotation", EventSide::Host, LaunchEnd::None},
    {"python_function", EventSide::Host, LaunchEnd::None},
    {"cpu_instant_event", EventSide::Host, LaunchEnd::None},
    {"Runtime", EventSide::Host, LaunchEnd::Call},
};

// cuda_runtime, hip_runtime, xpu_runtime, mtia_runtime, privateuse1_driver, ...
bool is_interface(std::string_view category) { return category.ends_with("_runtime") || category.ends_with("_driver"); }

const CategoryRule* rule_of(std::string_view category) {
  const auto* const rule = std::ranges::find(kCategoryRules, category, &CategoryRule::category);
  return rule == std::end(kCategoryRules) ? nullptr : rule;
}

}  // namespace

EventSide side_of(std::string_view category) {
  if (const CategoryRule* rule = rule_of(category)) return rule->side;
  return is_interface(category) ? EventSide::Host : EventSide::Unknown;
}

LaunchEnd launch_end(std::string_view category) {
  if (const CategoryRule* rule = rule_of(category)) return rule->end;
  return is_interface(category) ? LaunchEnd::Call : LaunchEnd::None;
}

std::uint64_t correlation_id(std::string_view args, bool exact) {
  constexpr std::string_view kKey = "correlation\"";
  for (std::size_t at = find_text(args, kKey, 0); at != std::string_view::npos; at = find_text(args, kKey, at + 1)) {
    if (at == 0 || args[at - 1] != '"') continue;
    std::size_t value = at + kKey.size();
    const auto skip_blanks = [&] {
      while (value < args.size() && is_blank(args[value])) ++value;
    };
    skip_blanks();
    if (value == args.size() || args[value] != ':') continue;  // a text that is this word
    if (!exact && json_value_length(args) < at) return 0;      // of a later record
    ++value;
    skip_blanks();
    if (value < args.size() && args[value] == '"') ++value;
    std::uint64_t number = 0;
    const auto [end, code] = std::from_chars(args.data() + value, args.data() + args.size(), number);
    constexpr auto kMinusOne = UINT32_MAX;  // as an unsigned number
    return code == std::errc() && number != kMinusOne && number != UINT64_MAX ? number : 0;
  }
  return 0;
}

}  // namespace tv
