// What a key says where records are looked for: which keys only a record has, and how one is read that may be cut off or damaged.
// A key is taken as it is written; no text behind its value's first byte is looked at. Cost: the key's own length.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace tv {

/// Of damaged text, in a report.
inline constexpr std::size_t kExcerptBytes = 80;

/// Keys that only a record has, as they are written.
inline constexpr std::array<std::string_view, 5> kOnlyEventKeys = {"\"ph\"", "\"ts\"", "\"pid\"", "\"tid\"", "\"dur\""};

/// "key" and a colon at the beginning of the text: the key; and where what follows the colon begins.
struct NextKey {
  std::string_view key;
  std::size_t value = std::string_view::npos;  ///< npos: there is none in the text
  bool wrong = false;                          ///< this is no key
};
NextKey next_key(std::string_view text);

}  // namespace tv
