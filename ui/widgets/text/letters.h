// Letters that are drawn and that no font of the atlas has yet. ImGui before 1.92 draws a box for each of them and does not say
// which, so whoever draws text that comes from files or people shows it to want_letters(), and the fonts are told between two
// frames (Fonts::add_code_points). Later versions of ImGui load letters themselves.
//
// Cost: a look at each byte of the text; per letter beyond ASCII a look into the font's table. One thread draws.
#pragma once

#include <string_view>
#include <vector>

#include "imgui.h"

namespace tv {

/// Code points of UTF-8 text beyond ASCII. Broken sequences give some code point or none.
std::vector<char32_t> code_points_of(std::string_view utf8);

/// Remembers those of its letters that the present font lacks.
void want_letters(std::string_view text);
/// Likewise; for arguments of ImGui's functions.
inline const char* with_letters(const char* text) { return want_letters(text), text; }

/// What was wanted since it was asked last, each letter once.
std::vector<char32_t> take_wanted_letters();

/// How many boxes that stand for a letter are in a drawn frame: none, when all is well.
int boxes_drawn(const ImDrawData& drawn);

}  // namespace tv
