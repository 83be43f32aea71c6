// A text of a file as a value of JSON: bytes that are no UTF-8 are replaced.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/text/json_text.h"

namespace tv {

inline nlohmann::ordered_json json_value(std::string_view any) { return nlohmann::ordered_json::parse(json_quoted(any)); }

}  // namespace tv
