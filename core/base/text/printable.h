// Text from files, as a terminal may show it. Control characters are orders to a terminal: they move the cursor, clear the screen,
// set the clipboard. Here they become what C and JSON call them: \u001b. Letters of every language, line ends (\n, \r\n) and tabs stay.
// Source: ECMA-48 (C0, C1), Unicode's Bidi_Control, with which a line reads otherwise than it is. Cost: a look at every byte.
#pragma once

#include <string>
#include <string_view>

namespace tv {

std::string printable(std::string_view text);

}  // namespace tv
