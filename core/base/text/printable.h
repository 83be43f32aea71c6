// Makes text from files safe to show in a terminal. Control characters are commands to a terminal: they move the cursor, clear the
// screen, set the clipboard. They are escaped as in C and JSON: \u001b. Letters of every language, line ends (\n, \r\n) and tabs
// stay. Source: ECMA-48 (C0, C1); Unicode's Bidi_Control, which can make a line look different from its content.
// Cost: O(bytes).
#pragma once

#include <string>
#include <string_view>

namespace tv {

std::string printable(std::string_view text);

}  // namespace tv
