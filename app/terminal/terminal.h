// Properties of the terminal: its width, and whether it shows bold text.
#pragma once

#include <cstddef>

namespace tv {

/// In columns. If stdout is not a terminal: the value of COLUMNS, else a default.
std::size_t terminal_width();
/// Whether stdout is a terminal with text styles (TERM), and NO_COLOR (no-color.org) is not set.
bool terminal_styles();
/// Whether stderr is a terminal, i.e. progress messages will be seen.
bool stderr_is_terminal();

}  // namespace tv
