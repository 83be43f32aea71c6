// Tells whether a text is JSON as far as it goes, for the message about a file that no reader takes, and for telling data from
// logs. Logs can begin with brackets and braces too: "[2026-07-27 10:00:02] [INFO]", "{'loss': 2.31}". Cost: O(text), a byte
// per level of depth.
#pragma once

#include <string_view>

namespace tv {

/// Whether the text consists of JSON values with blanks between them. The last value may be cut off. False for an empty text.
bool is_json_start(std::string_view text);

}  // namespace tv
