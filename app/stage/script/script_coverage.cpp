#include "app/stage/script/script_coverage.h"

#include <algorithm>
#include <array>
#include <optional>

namespace tv {
namespace {

// One way to make a gesture that gestures() lists.
struct GesturePart {
  std::string_view row, verb;
  std::array<std::string_view, 3> places;  // the gesture begins at one of these; anywhere if the first is empty
  std::uint8_t modifiers = kNoModifier;
  std::string_view part = {};  // distinguishes several ways of one row
};

constexpr std::array<std::string_view, 3> kLanes = {"lanes", "slice", "time"};

constexpr GesturePart kParts[] = {
    {"Ctrl+Wheel", "wheel", kLanes, kCtrl},
    {"Wheel", "wheel", kLanes, kNoModifier, "lanes"},
    {"Wheel", "wheel", {"ruler"}, kNoModifier, "ruler"},
    {"Shift+Wheel", "wheel", kLanes, kShift},
    {"Ctrl+Shift+Wheel", "wheel", kLanes, kCtrl | kShift},
    {"Click", "click", {"slice"}, kNoModifier, "slice"},
    {"Click", "click", {"empty"}, kNoModifier, "below all lanes"},
    {"Ctrl+Click", "click", {"slice"}, kCtrl},
    {"Shift+Click", "click", {"slice"}, kShift},
    {"Click the box beside a lane's name", "click", {"box"}},
    {"Double-click", "doubleclick", {"slice"}, kNoModifier, "slice"},
    {"Double-click", "doubleclick", {"name"}, kNoModifier, "name"},
    {"Double-click a mark or span", "doubleclick", {"note"}},
    {"Drag a lane's name", "drag", {"name"}},
    {"Alt+Drag a lane's name", "drag", {"name"}, kAlt},
    {"Right click on a lane's name", "rightclick", {"name"}},
    {"Ctrl+Double-click", "doubleclick", {"slice"}, kCtrl},
    {"Click where nothing runs", "click", {"lanes", "time"}},
    {"Drag", "drag", kLanes, kNoModifier, "snapping"},
    {"Drag", "drag", kLanes, kAlt, "free"},
    {"Drag an area's edge", "drag", {"edge"}},
    {"Ctrl+Drag, middle drag", "drag", kLanes, kCtrl, "Ctrl"},
    {"Ctrl+Drag, middle drag", "middledrag", kLanes, kNoModifier, "middle"},
    {"Shift+Drag, right drag", "drag", kLanes, kShift, "Shift"},
    {"Shift+Drag, right drag", "rightdrag", kLanes, kNoModifier, "right"},
    {"Middle click", "middleclick", {"slice"}},
    {"Right click", "rightclick", kLanes},
    {"Mouse 4, 5", "mouse4", {}, kNoModifier, "4"},
    {"Mouse 4, 5", "mouse5", {}, kNoModifier, "5"},
    {"Drag on the minimap", "drag", {"minimap"}, kNoModifier, "window"},
    {"Drag on the minimap", "drag", {"minimap_edge"}, kNoModifier, "edge"},
    {"Drag on the steps", "drag", {"step"}},
    {"Drop files", "drop", {}, kNoModifier, "alone"},
    {"Drop files", "drop", {}, kShift, "Shift"},
};

std::string row_words(const Binding& row, Chord chord) { return text(chord) + ": " + std::string(row.title); }

std::string row_words(const GesturePart& part) {
  return std::string(part.row) + (part.part.empty() ? "" : " (" + std::string(part.part) + ")");
}

bool is_made_by(const GesturePart& part, const MouseAct& act) {
  const bool there = part.places[0].empty() || std::ranges::find(part.places, act.place) != part.places.end();
  return part.verb == act.verb && part.modifiers == act.modifiers && there;
}

}  // namespace

void ScriptCoverage::pressed(Chord chord) {
  last_.clear();
  const std::optional<Action> action = action_for(chord);
  if (!action) return;
  const Binding& row = binding(*action);
  for (const Chord of_row : {row.chord, row.second}) {
    // Shift only speeds up a held key, so modifiers are ignored.
    const bool same = of_row == chord || (row.held && of_row.key == chord.key);
    if (of_row.key != Key::None && same) last_.insert(row_words(row, of_row));
  }
}

void ScriptCoverage::did(const MouseAct& act) {
  if (act.verb == "click" && act.place == "item") return;  // item of the menu that was just opened
  last_.clear();
  for (const GesturePart& part : kParts) {
    if (is_made_by(part, act)) last_.insert(row_words(part));
  }
}

void ScriptCoverage::expectation_held() { used_.insert(last_.begin(), last_.end()); }

nlohmann::ordered_json ScriptCoverage::state() const {
  nlohmann::ordered_json out = {{"used", nlohmann::ordered_json::array()}, {"unused", nlohmann::ordered_json::array()}};
  const auto add = [&](const std::string& row) { out[used_.contains(row) ? "used" : "unused"].push_back(row); };
  for (const Binding& row : bindings()) {
    for (const Chord chord : {row.chord, row.second}) {
      if (chord.key != Key::None) add(row_words(row, chord));
    }
  }
  for (const Gesture& row : gestures()) {
    bool known = false;
    for (const GesturePart& part : kParts) {
      if (part.row != row.gesture) continue;
      known = true;
      add(row_words(part));
    }
    if (!known) add(std::string(row.gesture) + " (scripts cannot make it: app/stage/script/script_coverage.cpp)");
  }
  return out;
}

}  // namespace tv
