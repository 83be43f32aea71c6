#include "core/export/parts/strict_json.h"

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "core/base/text/ascii.h"
#include "core/base/text/utf8.h"

namespace tv {
namespace strict_json {
namespace {

constexpr int kDeepest = 200;  // deeper values are decoded instead of copied

static_assert(std::endian::native == std::endian::little, "the first letter of eight is in the lowest byte");

// The number of plain letters among the next eight of a string: no quotes, backslashes, control characters or bytes beyond ASCII.
int plain_letters(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
  // A borrow can cause false matches, but only above a true match.
  const auto below = [&](std::uint64_t w, std::uint64_t limit) { return (w - kOnes * limit) & ~w & kHighs; };
  const std::uint64_t special =
      (word & kHighs) | below(word, 0x20) | below(word ^ kOnes * '"', 1) | below(word ^ kOnes * '\\', 1);
  return std::countr_zero(special) / 8;
}

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

const char* past_escape(const char* at, const char* end) {
  if (end - at < 2) return nullptr;
  if (at[1] != 'u') return std::strchr("\"\\/bfnrt", at[1]) && at[1] != '\0' ? at + 2 : nullptr;
  if (end - at < 6) return nullptr;
  for (int i = 2; i < 6; ++i) {
    if (!is_hex(at[i])) return nullptr;
  }
  const bool surrogate = (at[2] == 'd' || at[2] == 'D') && !(at[3] >= '0' && at[3] <= '7');
  return surrogate ? nullptr : at + 6;
}

const char* past_digits(const char* at, const char* end) {
  const char* const first = at;
  while (at < end && is_digit(*at)) ++at;
  return at == first ? nullptr : at;
}

// Rejects numbers that do not fit into a double, as some parsers do.
const char* past_number(const char* at, const char* end) {
  constexpr std::ptrdiff_t kAlwaysFits = 300;  // digits, without an exponent
  const char* const begin = at;
  bool has_exponent = false;
  if (at < end && *at == '-') ++at;
  const char* const first = at;
  if (!(at = past_digits(at, end)) || (*first == '0' && at - first > 1)) return nullptr;
  if (at < end && *at == '.' && !(at = past_digits(at + 1, end))) return nullptr;
  if (at < end && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at < end && (*at == '+' || *at == '-')) ++at;
    if (!(at = past_digits(at, end))) return nullptr;
    has_exponent = true;
  }
  double value = 0;
  if ((has_exponent || at - begin > kAlwaysFits) && std::from_chars(begin, at, value).ec != std::errc()) return nullptr;
  return at;
}

const char* past_word(const char* at, const char* end, std::string_view word) {
  return std::string_view(at, static_cast<std::size_t>(end - at)).starts_with(word) ? at + word.size() : nullptr;
}

const char* past_elements(const char* at, const char* end, int depth) {
  const bool object = *at == '{';
  const char close = object ? '}' : ']';
  at = past_blanks(at + 1, end);
  if (at < end && *at == close) return at + 1;
  while (at < end) {
    if (object) {
      if (!(at = past_string(at, end))) return nullptr;
      at = past_blanks(at, end);
      if (at == end || *at != ':') return nullptr;
      at = past_blanks(at + 1, end);
    }
    if (!(at = past_value(at, end, depth + 1))) return nullptr;
    at = past_blanks(at, end);
    if (at == end) return nullptr;
    if (*at == close) return at + 1;
    if (*at != ',') return nullptr;
    at = past_blanks(at + 1, end);
  }
  return nullptr;
}

}  // namespace

const char* past_blanks(const char* at, const char* end) {
  while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
  return at;
}

const char* past_string(const char* at, const char* end) {
  if (at == end || *at != '"') return nullptr;
  ++at;
  for (;;) {
    while (end - at >= 8) {
      const int plain = plain_letters(at);
      at += plain;
      if (plain < 8) break;
    }
    if (at == end) return nullptr;
    const auto c = static_cast<unsigned char>(*at);
    if (c == '"') return at + 1;
    if (c < 0x20) return nullptr;
    if (c == '\\') {
      if (!(at = past_escape(at, end))) return nullptr;
    } else if (c >= 0x80) {
      const std::size_t length = utf8_length({at, static_cast<std::size_t>(end - at)});
      if (length == 0) return nullptr;
      at += length;
    } else {
      ++at;
    }
  }
}

const char* past_value(const char* at, const char* end, int depth) {
  if (at == end || depth > kDeepest) return nullptr;
  switch (*at) {
    case '{':
    case '[':
      return past_elements(at, end, depth);
    case '"':
      return past_string(at, end);
    case 't':
      return past_word(at, end, "true");
    case 'f':
      return past_word(at, end, "false");
    case 'n':
      return past_word(at, end, "null");
    default:
      return past_number(at, end);
  }
}

}  // namespace strict_json

std::size_t strict_json_length(std::string_view text) {
  const char* const past = strict_json::past_value(text.data(), text.data() + text.size(), 0);
  return past ? static_cast<std::size_t>(past - text.data()) : 0;
}

}  // namespace tv
