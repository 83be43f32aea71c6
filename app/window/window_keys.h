// Translates GLFW's keys to ours.
#pragma once

#include <string>

#include "ui/widgets/input/keys.h"

namespace tv {

/// Translates by position: GLFW names keys by their position on a US keyboard. None for keys that we do not name.
Key key_at_place(int glfw_key);
/// The meaning of a keypad key that types no digit, by Num Lock and Shift: Home, Delete, arrows. None for other keys.
Key keypad_moves(int glfw_key);

/// The key that the user's layout prints: Q for the key at A's position on AZERTY. Keys whose print we do not name keep the name of
/// their position.
Key key_printed(int glfw_key, int scancode);

/// The label of the key that Keys takes for `key` while neither Ctrl nor Alt is down, for the help: "Z" for Key::W on AZERTY. Main
/// thread, while GLFW is initialised.
std::string key_cap(Key key);

}  // namespace tv
