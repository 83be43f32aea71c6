// Keys of a script by their names, one or several that are pressed together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/view/keys/keymap.h"

namespace tv {

struct Chords {
  std::vector<Key> keys;  ///< modifiers first
  std::string typed;      ///< or a character
  Chord chord;
};

/// kNoModifier: it is none.
std::uint8_t modifier_of(Key key);
/// "w", "Ctrl+O", "?", "Escape"; none: there is no such key.
std::optional<Chords> chords_of(const std::string& text);

}  // namespace tv
