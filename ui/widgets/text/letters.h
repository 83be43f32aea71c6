// Letters that are drawn but are not in the atlas yet. ImGui before 1.92 draws a box for each of them without reporting which, so
// code that draws text from files or users passes it to want_letters(), and the fonts get them between two frames
// (Fonts::add_code_points). Later versions of ImGui load letters themselves.
//
// Cost: one check per byte of the text; per non-ASCII letter a look-up in the font's table. Single-threaded: only one thread draws.
#pragma once

#include <string_view>
#include <vector>

#include "imgui.h"

namespace tv {

/// Code points of UTF-8 text beyond ASCII. Broken sequences give an arbitrary code point or none.
std::vector<char32_t> code_points_of(std::string_view utf8);

/// Remembers the letters that the current font lacks.
void want_letters(std::string_view text);
/// The same, for arguments of ImGui's functions.
inline const char* with_letters(const char* text) { return want_letters(text), text; }

/// The letters wanted since the last call, each once.
std::vector<char32_t> take_wanted_letters();

/// The number of missing-glyph boxes in a drawn frame; should be 0.
int boxes_drawn(const ImDrawData& drawn);

}  // namespace tv
