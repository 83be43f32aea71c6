#include "core/read/chrome/event_side.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "core/read/json/json_scan.h"
#include "core/read/own_member.h"
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
  std::size_t value = own_member(args, "\"correlation\"");
  if (value == std::string_view::npos) return 0;
  if (!exact && json_value_length(args) < value) return 0;  // the key comes after the args
  if (value < args.size() && args[value] == '"') ++value;
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(args.data() + value, args.data() + args.size(), number);
  constexpr auto kMinusOne = UINT32_MAX;  // as an unsigned number
  return code == std::errc() && number != kMinusOne && number != UINT64_MAX ? number : 0;
}

}  // namespace tv
