// Parses the keys of a script: a single key, or several that are pressed together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/view/keys/keymap.h"

namespace tv {

struct Chords {
  std::vector<Key> keys;  ///< modifiers first
  std::string typed;      ///< the character to type, for a punctuation key without modifiers; `keys` is empty then
  Chord chord;
};

/// kNoModifier if the key is not a modifier.
std::uint8_t modifier_of(Key key);
/// Parses "w", "Ctrl+O", "?" or "Escape". None if there is no such key.
std::optional<Chords> chords_of(const std::string& text);

}  // namespace tv
