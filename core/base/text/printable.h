// Makes text from files safe to show in a terminal. Control characters are commands to a terminal: they move the cursor, clear the
// screen, set the clipboard. They are escaped as in C and JSON: \u001b. Also escaped: characters that change the direction of text
// (Bidi_Control), because they make a line look different from its content. Letters of every language, line ends (\n, \r\n) and
// tabs stay. Source: ECMA-48 (C0, C1); Unicode (Bidi_Control). Cost: O(bytes).
#pragma once

#include <string>
#include <string_view>

namespace tv {

std::string printable(std::string_view text);

}  // namespace tv
