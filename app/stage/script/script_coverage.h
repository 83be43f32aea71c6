// Records which rows of the help a script has used and checked: a key or gesture counts if an `expect` holds before the next
// key or gesture. The help is made from the same tables (keymap.h), so keys that no script presses are found. A key in a text box
// does not count.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/view/keys/keymap.h"

namespace tv {

/// A gesture of the mouse, or a drop of files.
struct MouseAct {
  std::string verb;   ///< command of the script: "click", "drag", ...
  std::string place;  ///< keyword of the place where it began: "slice", "name", "ruler"; "lanes" for two numbers
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
