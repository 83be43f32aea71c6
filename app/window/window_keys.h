// Translates GLFW's keys to our Key.
#pragma once

#include <string>

#include "ui/widgets/input/keys.h"

namespace tv {

/// The key by its position, named as on a US keyboard, as GLFW does. Key::None if we have no name for it.
Key key_at_position(int glfw_key);
/// What a keypad key means while it types no digit (Num Lock, Shift): Home, Delete, arrows. Key::None for other keys.
Key keypad_navigation_key(int glfw_key);

/// The key by what the user's layout prints on it: Q for the key at A's position on AZERTY. Falls back to key_at_position() if we
/// have no name for the character.
Key printed_key(int glfw_key, int scancode);

/// The label of the key that Keys reads as `key` while neither Ctrl nor Alt is down, for the help: "Z" for Key::W on AZERTY. Call
/// on the main thread, while GLFW is initialised.
std::string key_cap(Key key);

}  // namespace tv
