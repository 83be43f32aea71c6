// Properties of the output terminal: its width, and whether it shows bold letters.
#pragma once

#include <cstddef>

namespace tv {

/// Columns of a line. If stdout is not a terminal: the value of COLUMNS, else a default.
std::size_t terminal_width();
/// stdout is a terminal that has styles (TERM), and NO_COLOR (no-color.org) is not set.
bool terminal_styles();
/// Whether stderr is a terminal, i.e. progress messages will be seen.
bool stderr_is_terminal();

}  // namespace tv
