// What keys say in a search for records: which keys only a record has, and how to read one that may be cut off or damaged. A key is
// taken as it is written. Text after the first byte of its value is not read. Cost: the key's own length.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace tv {

/// How much damaged text a report quotes.
inline constexpr std::size_t kExcerptBytes = 80;

/// Keys that only a record has, as they stand in the text.
inline constexpr std::array<std::string_view, 5> kOnlyEventKeys = {"\"ph\"", "\"ts\"", "\"pid\"", "\"tid\"", "\"dur\""};

/// The key at the front of the text, if it is "key" and a colon, and the place where its value begins.
struct NextKey {
  std::string_view key;
  std::size_t value = std::string_view::npos;  ///< npos: the text ends before it
  bool wrong = false;                          ///< the text does not begin with a key
};
NextKey next_key(std::string_view text);

}  // namespace tv
