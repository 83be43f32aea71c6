// Patterns that users type: `*` matches any text, `?` any one byte.
#pragma once

#include <string_view>

namespace tv {

/// Whether the whole text matches. Each `*` first matches nothing, and one more byte on each mismatch; only the last one grows.
constexpr bool matches_wildcard(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, star_end = 0;  // star_end: where the text of the star ends
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_end;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace tv
