// Wraps a text into lines of a given width. ImGui's own wrapping breaks after every full stop, even in "1.|965 s".
#pragma once

#include <string_view>
#include <vector>

namespace tv {

/// The lines, without the spaces at which they are broken. O(text).
std::vector<std::string_view> wrapped_lines(std::string_view text, float width);

}  // namespace tv
