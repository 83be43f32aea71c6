// Counts as people read them: 1234567 -> "1,234,567".
#pragma once

#include <cstdint>
#include <string>

namespace tv {

inline std::string format_count(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

}  // namespace tv
