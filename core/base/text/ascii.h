// Character classes for logs and JSON, whose significant characters are ASCII. Unlike those of <cctype>, these functions do not
// depend on the locale, and they take any char.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tv {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The text without blanks and control characters at its end.
constexpr std::string_view without_trailing_blanks(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

/// The whole text as a number: "12", "-3"; none for "", "+1", "1.0", " 1".
inline std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

/// The whole text as a number that may have a fraction or an exponent: "1.5", "-2e3", "nan"; none for "", "+1", " 1", and for what
/// a double cannot hold.
inline std::optional<double> whole_decimal(std::string_view text) {
  double out = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

inline std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = to_lower(c);
  return out;
}

}  // namespace tv
