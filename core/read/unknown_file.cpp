#include "core/read/unknown_file.h"

#include <algorithm>
#include <vector>

#include "core/io/tables/section_file.h"
#include "core/read/json/json_start.h"

namespace tv {
namespace {

constexpr std::size_t kMostKeys = 6, kLongestShownKey = 40;

// Characters that could mean something to a terminal.
bool is_odd(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\\' || c == '\x7f'; }

// The first keys of the first object in the text.
std::vector<std::string> outer_keys(std::string_view head) {
  const std::size_t open = head.find('{');
  std::vector<std::string> keys;
  int depth = 0;
  for (std::size_t at = open; at < head.size() && keys.size() < kMostKeys; ++at) {
    const char c = head[at];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth == 0) break;
    if (c != '"') continue;
    std::size_t end = at + 1;
    while (end < head.size() && head[end] != '"') end += head[end] == '\\' ? 2 : 1;
    if (end >= head.size()) break;
    const std::string_view text = head.substr(at + 1, end - at - 1);
    at = end;
    const std::size_t next = head.find_first_not_of(" \t\r\n", end + 1);
    const bool is_key = depth == 1 && next != std::string_view::npos && head[next] == ':';
    const bool plain = text.size() <= kLongestShownKey && std::ranges::none_of(text, is_odd);
    if (is_key && plain) keys.emplace_back(text);
  }
  return keys;
}

std::string why_unknown_json(std::string_view head) {
  std::string why = "JSON, but there are no trace events in it";
  const std::vector<std::string> keys = outer_keys(head);
  for (std::size_t k = 0; k < keys.size(); ++k) why += (k == 0 ? " (its keys: " : ", ") + keys[k];
  return keys.empty() ? why : why + ")";
}

}  // namespace

bool looks_like_text(std::string_view head) { return head.find('\0') == std::string_view::npos; }

std::string why_unknown(std::string_view head) {
  if (head.empty()) return "the file is empty";
  if (is_section_file(head)) return "a packed trace inside another file: extract it, then open it";
  if (head.starts_with("<")) return "an HTML or XML page, not a trace";
  if (is_json_start(head)) return why_unknown_json(head);
  return looks_like_text(head) ? "text of a format that is not known" : "a binary file of a format that is not known";
}

}  // namespace tv
