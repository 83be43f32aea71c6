#include "core/read/chrome/collective_args.h"

#include <algorithm>

#include "core/base/text/ascii.h"
#include "core/base/text/parse_json.h"
#include "core/read/json/json_scan.h"
#include "core/read/own_member.h"

namespace tv {
namespace {

// A member's value: the text between the quotes of a string, a whole array, or else the token. Empty if the member is missing.
std::string_view member_text(std::string_view args, std::string_view quoted) {
  const std::size_t at = own_member(args, quoted);
  if (at >= args.size()) return {};
  if (args[at] == '"') return args.substr(at + 1, std::min(args.find('"', at + 1), args.size()) - at - 1);
  const std::size_t end = args[at] == '[' ? args.find(']', at) + 1 : args.find_first_of(",} \t\r\n", at);
  return args.substr(at, std::min(end, args.size()) - at);
}

bool is_point_to_point(std::string_view args, std::string_view kernel) {
  const std::string operation = lower_case(member_text(args, "\"Collective name\""));
  if (operation.find("send") != std::string::npos || operation.find("recv") != std::string::npos) return true;
  return operation.empty() && kernel.find("SendRecv") != std::string_view::npos;
}

}  // namespace

std::optional<ToldCollective> collective_in_args(std::string_view args, std::string_view kernel) {
  constexpr std::string_view kGroup = "\"Process Group Name\"";
  const std::size_t length = json_value_length(args);
  if (length == std::string_view::npos || !args.starts_with('{')) return std::nullopt;
  args = args.substr(0, length);
  ToldCollective collective;
  collective.group = member_text(args, kGroup);
  if (collective.group.empty()) return std::nullopt;
  collective.ranks = member_text(args, "\"Process Group Ranks\"");
  if (!is_point_to_point(args, kernel)) collective.number = member_text(args, "\"Seq\"");
  if (collective.number == "null" || collective.number.starts_with('-')) collective.number = {};
  return collective;
}

std::vector<std::string> groups_in_info(std::string_view distributed_info) {
  std::vector<std::string> keys;
  const nlohmann::json info = parse_json(distributed_info);
  if (!info.is_object()) return keys;
  const auto config = info.find("pg_config");
  if (config == info.end()) return keys;
  nlohmann::json parsed;
  if (config->is_string()) parsed = parse_json(config->get_ref<const std::string&>());
  const nlohmann::json& groups = config->is_string() ? parsed : *config;
  if (!groups.is_array()) return keys;
  for (const nlohmann::json& group : groups) {
    if (!group.is_object()) continue;
    const auto name = group.find("pg_name"), ranks = group.find("ranks");
    if (name == group.end() || ranks == group.end() || (ranks->is_array() && ranks->empty())) continue;
    const std::string text = ranks->is_string() ? ranks->get<std::string>() : ranks->dump();
    keys.push_back(told_group_key(name->is_string() ? name->get<std::string>() : name->dump(), text));
  }
  return keys;
}

}  // namespace tv
