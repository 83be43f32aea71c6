// Finds letters that are drawn but not yet in the font atlas. ImGui before 1.92 draws a box for each without reporting which
// letter is missing. So code that draws text from files or users passes the text to want_letters(), and the missing letters are
// added between two frames (Fonts::add_code_points). Later versions of ImGui load letters themselves.
//
// Cost: a check per byte of the text, and a look-up in the font's table per non-ASCII letter. Not thread-safe, since only one
// thread draws.
#pragma once

#include <string_view>
#include <vector>

#include "imgui.h"

namespace tv {

/// The non-ASCII code points of UTF-8 text. An invalid sequence gives an arbitrary code point or none.
std::vector<char32_t> code_points_of(std::string_view utf8);

/// Remembers the letters that the current font lacks.
void want_letters(std::string_view text);
/// The same, and returns the text: for arguments of ImGui's functions.
inline const char* with_letters(const char* text) { return want_letters(text), text; }

/// The letters that want_letters() has found since the last call, each once.
std::vector<char32_t> take_wanted_letters();

/// The number of missing-glyph boxes in a drawn frame. It should be 0.
int boxes_drawn(const ImDrawData& drawn);

}  // namespace tv
