// A page of the manual as text for a terminal: lines broken to its width, tables in columns. Styled: with the terminal's own bold
// and underlined letters. Without style, code stands in backquotes, as in the file.
#pragma once

#include <cstddef>
#include <string>

#include "core/view/manual/manual_page.h"

namespace tv {

inline constexpr std::size_t kUsualTerminal = 80, kWidestManual = 110;  ///< letters in a line

std::string manual_as_text(const ManualPage& page, std::size_t width, bool styled);

}  // namespace tv
