// Where a record of an array of JSON objects seems to begin, without reading the text before it: after '}' and ',' comes what
// the array's first record began with. A string may hold such a place too: only parsing proves the guess.
#pragma once

#include <string_view>

namespace tv {

/// `{`, blanks, `"key"`: how a record begins; nothing if it begins otherwise.
std::string_view record_opening(std::string_view record);

/// The last position of `text`, but not before `least`, where a record with that opening seems to begin; npos: none.
std::size_t last_likely_record(std::string_view text, std::size_t least, std::string_view opening);

}  // namespace tv
