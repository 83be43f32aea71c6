#include "core/base/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace tv {
namespace {

// The code point of the two- or three-byte control character that begins here; 0 if there is none.
std::uint32_t control_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) return byte(1);  // C1
  if (byte(0) == 0xD8 && byte(1) == 0x9C) return 0x061C;                     // the Arabic letter mark
  if (byte(0) != 0xE2 || (byte(1) != 0x80 && byte(1) != 0x81) || (byte(2) & 0xC0) != 0x80) return 0;
  const std::uint32_t code = 0x2000 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  const bool reorders = code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return reorders ? code : 0;
}

bool may_begin_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  std::size_t shown = 0;
  const auto replace = [&](std::size_t at, std::size_t bytes, std::string_view by) {
    out += text.substr(shown, at - shown);
    out += by;
    shown = at + bytes;
  };
  for (std::size_t i = 0; i < text.size(); i = std::max(i + 1, shown)) {
    if (!may_begin_control(text[i]) || text.substr(i, 2) == "\r\n") continue;
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      replace(i, 1, fmt::format("\\u{:04x}", byte));
    } else if (const std::uint32_t code = control_at(text.substr(i))) {
      replace(i, byte == 0xE2 ? 3 : 2, fmt::format("\\u{:04x}", code));
    }
  }
  out += text.substr(shown);
  return out;
}

}  // namespace tv
