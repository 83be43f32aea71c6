// Which rows of the help a script has used, and has then looked at what came of it: a key or gesture counts once an
// `expect` after it held, with no other between them. The help is made of the same tables (keymap.h), so a key that no
// script presses is seen. A key in a text box is the box's and does not count.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/view/keys/keymap.h"

namespace tv {

/// What a hand did with the mouse, or with files.
struct MouseAct {
  std::string verb;   ///< of the script: "click", "drag", ...
  std::string place;  ///< what it began on, by its word: "slice", "name", "ruler"; "lanes" for two numbers
  std::uint8_t modifiers = kNoModifier;
};

class ScriptCoverage {
 public:
  void pressed(Chord chord);
  void did(const MouseAct& act);
  void expectation_held();
  /// {"used": [...], "unused": [...]}: each chord and each part of a gesture as "Ctrl+O: Open files".
  nlohmann::ordered_json state() const;

 private:
  std::set<std::string> last_, used_;
};

}  // namespace tv
