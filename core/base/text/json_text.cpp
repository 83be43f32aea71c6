#include "core/base/text/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/text/utf8.h"

namespace tv {

std::string json_quoted(std::string_view text) {
  std::string out;
  append_json_quoted(out, text);
  return out;
}

void append_json_quoted(std::string& out, std::string_view text) {
  constexpr auto plain = [](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; };
  out += '"';
  while (!text.empty()) {
    const auto odd = std::find_if_not(text.begin(), text.end(), plain);
    out.append(text.begin(), odd);
    text.remove_prefix(static_cast<std::size_t>(odd - text.begin()));
    if (text.empty()) break;
    const char c = text.front();
    const std::size_t length = utf8_length(text);
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (length == 0) {
          out += kReplacementCharacter;
        } else if (static_cast<unsigned char>(c) < 0x20) {
          fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
        } else {
          out += text.substr(0, length);
        }
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  out += '"';
}

}  // namespace tv
