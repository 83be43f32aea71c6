#include "core/read/json/likely_record.h"

#include "core/read/json/json_scan.h"

namespace tv {
namespace {

constexpr std::size_t kLongestOpening = 128;

}  // namespace

std::string_view record_opening(std::string_view record) {
  const std::size_t open = record.find('"'), close = open == record.npos ? open : record.find('"', open + 1);
  return close < kLongestOpening ? record.substr(0, close + 1) : std::string_view();
}

std::size_t last_likely_record(std::string_view text, std::size_t least, std::string_view opening) {
  // A record at `least` itself is not found, because the text before it would have to be checked.
  for (std::size_t at = text.rfind(opening); at != text.npos && at > least; at = text.rfind(opening, at - 1)) {
    std::size_t before = at;
    while (before > least && is_blank(text[before - 1])) --before;
    if (before == least || text[--before] != ',') continue;
    while (before > least && is_blank(text[before - 1])) --before;
    if (before > least && text[before - 1] == '}') return at;
  }
  return std::string_view::npos;
}

}  // namespace tv
