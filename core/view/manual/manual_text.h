// A page of the manual as text for a terminal: lines wrapped to its width, tables in columns. Styled text uses the terminal's bold
// and underlined letters. Without style, code is in backquotes, as in the file.
#pragma once

#include <cstddef>
#include <string>

#include "core/view/manual/manual_page.h"

namespace tv {

inline constexpr std::size_t kUsualTerminal = 80, kWidestManual = 110;  ///< letters in a line

std::string manual_as_text(const ManualPage& page, std::size_t width, bool styled);

}  // namespace tv
