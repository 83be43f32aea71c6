// A text on as many lines as a width asks for. ImGui's own wrapping breaks after every point, "1.|965 s" too.
#pragma once

#include <string_view>
#include <vector>

namespace tv {

/// The lines, without the spaces between them. O(text).
std::vector<std::string_view> wrapped_lines(std::string_view text, float width);

}  // namespace tv
