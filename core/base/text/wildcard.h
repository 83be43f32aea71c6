// Patterns that users type: `*` matches any text, `?` any one byte.
#pragma once

#include <string_view>

namespace tv {

/// Whether the whole text matches. Each `*` first matches nothing and grows on a mismatch; only the last one needs to grow.
constexpr bool matches_wildcard(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, behind_star = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      behind_star = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++behind_star;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace tv
