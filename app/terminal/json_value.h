// Makes a JSON string of text from a file. Bytes that are not valid UTF-8 are replaced.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/text/json_text.h"

namespace tv {

inline nlohmann::ordered_json json_value(std::string_view text) { return nlohmann::ordered_json::parse(json_quoted(text)); }

}  // namespace tv
