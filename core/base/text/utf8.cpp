#include "core/base/text/utf8.h"

namespace tv {

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  if (text.empty()) return 0;
  const unsigned a = byte(0), b = byte(1);
  if (a < 0x80) return 1;
  if (a >= 0xC2 && a <= 0xDF) return tail(1) ? 2 : 0;
  if (a >= 0xE0 && a <= 0xEF) {
    const bool in_range = a == 0xE0 ? b >= 0xA0 : a == 0xED ? b <= 0x9F : true;
    return in_range && tail(1) && tail(2) ? 3 : 0;
  }
  if (a >= 0xF0 && a <= 0xF4) {
    const bool in_range = a == 0xF0 ? b >= 0x90 : a == 0xF4 ? b <= 0x8F : true;
    return in_range && tail(1) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

char32_t utf8_code_point(std::string_view text) {
  const std::size_t length = utf8_length(text);
  const auto bits = [&](std::size_t i, unsigned mask) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i]) & mask);
  };
  switch (length) {
    case 1: return bits(0, 0x7F);
    case 2: return bits(0, 0x1F) << 6 | bits(1, 0x3F);
    case 3: return bits(0, 0x0F) << 12 | bits(1, 0x3F) << 6 | bits(2, 0x3F);
    case 4: return bits(0, 0x07) << 18 | bits(1, 0x3F) << 12 | bits(2, 0x3F) << 6 | bits(3, 0x3F);
    default: return 0xFFFD;
  }
}

// A byte that belongs to no sequence counts as a character by itself.
std::string shortened_utf8(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  for (std::size_t back = 1; back <= 3 && back <= most; ++back) {
    const std::size_t length = utf8_length(text.substr(most - back));
    if (length > back) end = most - back;
    if (length > 0) break;
  }
  return std::string(text.substr(0, end)) + "...";
}

std::string_view utf8_prefix(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && continues_utf8(text[most])) --most;
  return text.substr(0, most);
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    out += length == 0 ? kReplacementCharacter : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace tv
