// What is known of the terminal that output goes to: its width, and whether letters may be bold there.
#pragma once

#include <cstddef>

namespace tv {

/// Letters in a line; that of COLUMNS, else the usual, where stdout is no terminal.
std::size_t terminal_width();
/// stdout is a terminal, and NO_COLOR (no-color.org) is not set.
bool terminal_styles();
/// Somebody watches what is said meanwhile.
bool stderr_is_terminal();

}  // namespace tv
