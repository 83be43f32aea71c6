// Formats counts for users: 1234567 -> "1,234,567", 1 -> "1 hit".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tv {

inline std::string format_count(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

/// "1 hit", "2,000 hits"; with an irregular plural: "2 batches".
inline std::string count_text(std::uint64_t n, std::string_view what, std::string_view plural = {}) {
  if (n != 1 && !plural.empty()) return format_count(n) + " " + std::string(plural);
  return format_count(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

}  // namespace tv
