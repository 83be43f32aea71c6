// Helps to find records in JSON: the keys that only records have, and a parser for a key that may be cut off or damaged, which
// does not decode escapes and stops at the first byte of the value. Cost: O(key), or O(text) if the key does not end.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace tv {

/// How much damaged text is quoted, or searched for a key.
inline constexpr std::size_t kExcerptBytes = 80;

/// Keys that only records have, in quotes.
inline constexpr std::array<std::string_view, 5> kOnlyEventKeys = {"\"ph\"", "\"ts\"", "\"pid\"", "\"tid\"", "\"dur\""};

/// The key that begins the text, without quotes, and the position of its value.
struct NextKey {
  std::string_view key;
  std::size_t value = std::string_view::npos;  ///< npos: the text ends before it
  bool wrong = false;                          ///< the text does not begin with a string and a colon
};
NextKey next_key(std::string_view text);

}  // namespace tv
