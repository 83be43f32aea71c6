// GLFW's keys as ours.
#pragma once

#include <optional>

#include "ui/widgets/keys.h"

namespace tv {

/// GLFW names keys by their place on a US keyboard.
std::optional<Key> key_at_position(int glfw_key);

/// What the user's layout prints on the key: Q for the key at A's place on AZERTY. Keys that print something else
/// (the digits there) keep their place's name.
Key key_in_layout(int glfw_key, int scancode, Key position);

/// The GLFW key at our position.
int glfw_key(Key position);

}  // namespace tv
