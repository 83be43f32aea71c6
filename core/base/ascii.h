// Letters of logs and JSON, which are ASCII wherever they have a meaning: the functions of <cctype> ask the locale and
// want unsigned ones.
#pragma once

#include <string>
#include <string_view>

namespace tv {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Without blanks and control letters at its end.
constexpr std::string_view without_trailing_blanks(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

inline std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace tv
