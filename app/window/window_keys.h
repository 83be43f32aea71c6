// GLFW's keys as ours.
#pragma once

#include <string>

#include "ui/widgets/input/keys.h"

namespace tv {

/// GLFW names keys by their place on a US keyboard. None for keys without a name of ours.
Key key_at_place(int glfw_key);
/// What a keypad key means while it types no digit, by Num Lock and Shift: Home, Delete, arrows. None for other keys.
Key keypad_moves(int glfw_key);

/// What the user's layout prints on the key: Q for the key at A's place on AZERTY. Keys that print something
/// without a name of ours keep their place's.
Key key_printed(int glfw_key, int scancode);

/// The text on the key that Keys takes for `key` while neither Ctrl nor Alt is down, for the help: "Z" for
/// Key::W on AZERTY. Main thread, while GLFW is initialised.
std::string key_cap(Key key);

}  // namespace tv
