// Records which of the keys and gestures that the help lists a script has used and checked. One counts if an `expect` holds before
// the next key or gesture. Keys typed into a text box do not count. The help comes from the same tables (keymap.h), so a new key
// that no script presses is listed as unused.
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
  std::string place;  ///< keyword of the place where the gesture began, such as "slice" or "ruler"; "lanes" for two coordinates
  std::uint8_t modifiers = kNoModifier;
};

class ScriptCoverage {
 public:
  void pressed(Chord chord);
  void did(const MouseAct& act);
  void expectation_held();
  /// {"used": [...], "unused": [...]}: each chord, such as "Ctrl+O: Open files", and each way to make a gesture,
  /// such as "Wheel (ruler)".
  nlohmann::ordered_json state() const;

 private:
  std::set<std::string> last_, used_;
};

}  // namespace tv
