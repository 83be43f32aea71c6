// Translates GLFW's keys to ours.
#pragma once

#include <string>

#include "ui/widgets/input/keys.h"

namespace tv {

/// Translates by position: GLFW names keys by their position on a US keyboard. None for keys that we do not name.
Key key_at_place(int glfw_key);
/// What a keypad key means while Num Lock and Shift make it type no digit: Home, Delete, arrows. None for other keys.
Key keypad_moves(int glfw_key);

/// The key that the user's layout prints: Q for the key at A's position on AZERTY. If we have no name for it, the key is named by
/// its position.
Key key_printed(int glfw_key, int scancode);

/// The label of the key that Keys reads as `key` if neither Ctrl nor Alt is down, for the help: "Z" for Key::W on AZERTY. Main
/// thread, while GLFW is initialised.
std::string key_cap(Key key);

}  // namespace tv
