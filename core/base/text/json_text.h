// Text as a JSON string: quoted, escaped and valid UTF-8 (invalid bytes become U+FFFD).
#pragma once

#include <string>
#include <string_view>

namespace tv {

std::string json_quoted(std::string_view text);
void append_json_quoted(std::string& out, std::string_view text);

}  // namespace tv
