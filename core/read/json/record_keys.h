// What keys tell in a search for records: which keys only records have, and how to read a key that may be cut off or damaged. A key
// is compared as written. Nothing after the first byte of its value is read. Cost: the key's own length.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace tv {

/// Longest excerpt of damaged text in a report.
inline constexpr std::size_t kExcerptBytes = 80;

/// Keys that only records have, with their quotes.
inline constexpr std::array<std::string_view, 5> kOnlyEventKeys = {"\"ph\"", "\"ts\"", "\"pid\"", "\"tid\"", "\"dur\""};

/// The key at the beginning of the text, if a colon follows it, and the position of its value.
struct NextKey {
  std::string_view key;
  std::size_t value = std::string_view::npos;  ///< npos: the text ends before it
  bool wrong = false;                          ///< the text does not begin with a key
};
NextKey next_key(std::string_view text);

}  // namespace tv
