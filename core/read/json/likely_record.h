// Guesses where a record of an array of JSON objects begins, without reading the text before it, by a search for '}', ',' and the
// opening of the array's first record. A string may contain such text too, so only parsing proves the guess.
#pragma once

#include <string_view>

namespace tv {

/// The record's text up to and including its first key: `{`, blanks, `"key"`. Empty if the first 128 bytes have no key.
std::string_view record_opening(std::string_view record);

/// The last position in `text` where a record with the opening seems to begin, judged by the text from `least` on; npos: none.
std::size_t last_likely_record(std::string_view text, std::size_t least, std::string_view opening);

}  // namespace tv
