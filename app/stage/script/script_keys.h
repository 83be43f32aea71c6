// Parses the keys that a script names: one, or several pressed together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/view/keys/keymap.h"

namespace tv {

struct Chords {
  std::vector<Key> keys;  ///< modifiers first
  std::string typed;      ///< the character, if the key is one
  Chord chord;
};

/// kNoModifier if the key is not a modifier.
std::uint8_t modifier_of(Key key);
/// Takes "w", "Ctrl+O", "?" or "Escape". Nullopt if there is no such key.
std::optional<Chords> chords_of(const std::string& text);

}  // namespace tv
