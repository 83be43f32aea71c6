#include "core/base/json_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/utf8.h"

namespace tv {

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
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
          out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        } else {
          out += text.substr(0, length);
        }
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  out += '"';
  return out;
}

}  // namespace tv
