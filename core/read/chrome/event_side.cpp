#include "core/read/chrome/event_side.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "core/read/json/find_text.h"
#include "core/read/json/json_scan.h"
#include "core/store/rules/work_rules.h"

namespace tv {
namespace {

// Categories that calls also launch although they are not work. They do not decide on which side a lane is, because
// synchronisation can share the lane of a stream.
constexpr std::array<std::string_view, 4> kLaunchedWithoutWork = {"cuda_sync", "cuda_event", "hpu_op", "collective_comm"};

bool is_one_of(std::span<const std::string_view> categories, std::string_view category) {
  return std::ranges::find(categories, category) != categories.end();
}

}  // namespace

EventSide side_of(std::string_view category) {
  if (is_device_category(category)) return EventSide::Device;
  const CategoryKind kind = category_kind(category);
  const bool host = kind == CategoryKind::Api || kind == CategoryKind::Ranges || kind == CategoryKind::Host;
  return host ? EventSide::Host : EventSide::Unknown;
}

LaunchEnd launch_end(std::string_view category) {
  if (category_kind(category) == CategoryKind::Api) return LaunchEnd::Call;
  return is_device_category(category) || is_one_of(kLaunchedWithoutWork, category) ? LaunchEnd::Work : LaunchEnd::None;
}

std::uint64_t correlation_id(std::string_view args, bool exact) {
  constexpr std::string_view kKey = "correlation\"";
  if (!args.starts_with('{')) return 0;  // only an object has members; the text after other args is not theirs
  for (std::size_t at = find_text(args, kKey, 0); at != std::string_view::npos; at = find_text(args, kKey, at + 1)) {
    if (at == 0 || args[at - 1] != '"') continue;
    std::size_t value = at + kKey.size();
    const auto skip_blanks = [&] {
      while (value < args.size() && is_blank(args[value])) ++value;
    };
    skip_blanks();
    if (value == args.size() || args[value] != ':') continue;  // a string value that equals the key
    if (!exact && json_value_length(args) < at) return 0;      // the key comes after the args
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
