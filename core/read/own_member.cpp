#include "core/read/own_member.h"

#include "core/read/json/find_text.h"
#include "core/read/json/json_scan.h"

namespace tv {
namespace {

constexpr std::size_t kNoMember = std::string_view::npos;

std::size_t after_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

// Where the value begins if a colon follows the key that ends at `at`.
std::size_t value_after(std::string_view text, std::size_t at) {
  at = after_blanks(text, at);
  return at < text.size() && text[at] == ':' ? after_blanks(text, at + 1) : kNoMember;
}

// Goes from member to member.
std::size_t member_by_member(std::string_view object, std::string_view quoted) {
  for (std::size_t at = 1; at < object.size(); ++at) {
    at = after_blanks(object, at);
    if (object.substr(at).starts_with(quoted)) {
      if (const std::size_t value = value_after(object, at + quoted.size()); value != kNoMember) return value;
    }
    JsonScan scan;
    const JsonScan::Step member = scan.run_value(object, at, true);
    if (member.status != JsonScan::Status::Done || object[member.at] != ',') return kNoMember;
    at = member.at;
  }
  return kNoMember;
}

}  // namespace

std::size_t own_member(std::string_view object, std::string_view quoted) {
  if (!object.starts_with('{')) return kNoMember;
  const std::string_view key = quoted.substr(1);  // find_text compares where both ends match, and quotes are frequent
  std::size_t seen = 1;  // no object inside this one begins before it
  for (std::size_t at = find_text(object, key, 1); at != kNoMember; at = find_text(object, key, at + 1)) {
    if (object[at - 1] != '"') continue;
    if (object.substr(seen, at - seen).find('{') != std::string_view::npos) return member_by_member(object, quoted);
    seen = at;
    if (const std::size_t value = value_after(object, at + key.size()); value != kNoMember) return value;
  }
  return kNoMember;
}

}  // namespace tv
