// Guesses where a record of an array of JSON objects begins, without reading the text before it: it looks for '}', ',' and the
// opening of the array's first record. A string may contain such text too, so only parsing proves the guess.
#pragma once

#include <string_view>

namespace tv {

/// The record up to and including its first key: `{`, blanks, `"key"`. Empty if it has no key in its first 128 bytes.
std::string_view record_opening(std::string_view record);

/// The last position of `text` where a record with that opening seems to begin, judged by the text from `least` on; npos: none.
std::size_t last_likely_record(std::string_view text, std::size_t least, std::string_view opening);

}  // namespace tv
