// The user's file of keys: $XDG_CONFIG_HOME/traceview/keymap.toml. It maps action ids (keymap.h) to chords, written as in the
// help:
//
//     mouse = "tracy"              # perfetto, tracy, chrome
//     [keys]
//     view.fit_all = "Home"        # instead of all the keys it had
//     view.back = ["Backspace", "Alt+Left"]
//     app.quit = ""                # no key
//
// Errors are reported with their line, and the rest is used. A chord that the file assigns is taken from the action that has it
// by default; if the file assigns one chord to two actions, the first gets it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/view/keys/keymap.h"

namespace tv {

struct KeyChange {
  Action action{};
  Chord chord = {}, second = {};
};

/// The user's choice. Without changes: the defaults of the preset.
struct KeyChoice {
  MousePreset mouse = MousePreset::Perfetto;
  std::vector<KeyChange> changes;
};

/// The resulting table of bindings.
std::vector<Binding> key_table(const KeyChoice& choice);
/// Makes this choice the live one for keys and mouse.
void use_keys(const KeyChoice& choice);
const KeyChoice& keys_in_use();

struct KeyFileProblem {
  std::size_t line = 0;  ///< from 1
  std::string text;
};
struct KeyFile {
  KeyChoice choice;
  std::vector<KeyFileProblem> problems;
};
KeyFile read_key_file(std::string_view text);

/// Parses "Ctrl+Shift+P" or "page up". The error says what is wrong.
Result<Chord> chord_of(std::string_view text);

/// A file to start from: it explains the syntax and lists all actions with their keys in comments.
std::string new_key_file(MousePreset mouse);
/// The text of a key file with this preset: changes the line that names a preset, or else puts a line at the top.
std::string with_mouse(std::string text, MousePreset mouse);

inline constexpr const char* kKeyFileName = "keymap.toml";

}  // namespace tv
