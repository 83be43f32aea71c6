// Parses JSON that anybody may have written. nlohmann/json copies, compares and prints a value with one call per level, so text of
// brackets alone would overflow the stack. Text that nests deeper than anything we read counts as invalid.
// Cost: a pass over the text before the library parses it.
#pragma once

#include <nlohmann/json.hpp>

#include <string_view>

namespace tv {

inline constexpr int kDeepestJson = 64;

/// Discarded (is_discarded()) if the text is not JSON, or more than kDeepestJson objects and arrays are open at once.
nlohmann::json parse_json(std::string_view text);

}  // namespace tv
