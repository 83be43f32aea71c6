// Guesses where a record of an array of JSON objects begins, without reading the text before it: after '}' and ',' must come the
// beginning of the array's first record. A string may contain such text too, so only parsing proves the guess.
#pragma once

#include <string_view>

namespace tv {

/// `{`, blanks, `"key"`: the beginning of a record; empty if it begins otherwise.
std::string_view record_opening(std::string_view record);

/// The last position of `text`, but not before `least`, where a record with that opening seems to begin; npos: none.
std::size_t last_likely_record(std::string_view text, std::size_t least, std::string_view opening);

}  // namespace tv
