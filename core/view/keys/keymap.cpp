#include "core/view/keys/keymap.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>
#include <vector>

namespace tv {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Key::kCount)> kKeyNames = {
    "",        "A",         "B",     "C",   "D",     "E",      "F",         "G",      "H",    "I",     "J",
    "K",       "L",         "M",     "N",   "O",     "P",      "Q",         "R",      "S",    "T",     "U",
    "V",       "W",         "X",     "Y",   "Z",     "0",      "1",         "2",      "3",    "4",     "5",
    "6",       "7",         "8",     "9",   "F1",    "F2",     "F3",        "F4",     "F5",   "F6",    "F7",
    "F8",      "F9",        "F10",   "F11", "F12",   "Left",   "Right",     "Up",     "Down", "Home",  "End",
    "Page Up", "Page Down", "Enter", "Esc", "Space", "Tab",    "Backspace", "Delete", ",",    ".",     "/",
    "-",       "=",         "[",     "]",   "?",     ":",      "Insert",    "Ctrl",   "Shift", "Alt",  "Super",
};

namespace of_commands {
using namespace command;

constexpr Chord chord_from(std::string_view text) {
  Chord chord;
  for (const auto& [word, modifier] : {std::pair{std::string_view("Ctrl+"), kCtrl}, std::pair{std::string_view("Shift+"), kShift},
                                       std::pair{std::string_view("Alt+"), kAlt}}) {
    if (!text.starts_with(word)) continue;
    text.remove_prefix(word.size());
    chord.modifiers |= modifier;
  }
  for (std::size_t k = 1; k < kKeyNames.size(); ++k) {
    if (kKeyNames[k] == text) chord.key = static_cast<Key>(k);
  }
  if (chord.key == Key::None) throw "no key has this name";  // fails to compile
  return chord;
}

struct Keys {
  Chord first = {}, second = {};
  bool held = false;
};
constexpr Keys keys() { return {}; }
constexpr Keys keys(std::string_view first) { return {chord_from(first)}; }
constexpr Keys keys(std::string_view first, std::string_view second) { return {chord_from(first), chord_from(second)}; }
template <class... Texts>
constexpr Keys held(Texts... texts) {
  Keys all = keys(texts...);
  all.held = true;
  return all;
}

constexpr double kLine_px = 60, kPage_px = 600, kFarther_px = 1e12;  // kFarther_px is larger than any layout

constexpr Binding row(Action action, std::string_view id, std::string_view title, std::string_view group, Keys keys, Menu menu, Need need,
                      std::string_view section, std::string_view menu_title, Command (*command)()) {
  return {action, id, title, group, keys.first, keys.second, keys.held, menu, need, section, menu_title, command};
}

constexpr Binding kBindings[] = {
#define TV_ACTION(action, id, title, group, keys, menu, need, section, menu_title, ...)                   \
  row(Action::action, id, title, group, keys, Menu::menu, Need::need, section, menu_title, []() -> Command { \
    return __VA_ARGS__;                                                                                    \
  }),
#include "core/view/keys/commands.inc"
};

}  // namespace of_commands
using of_commands::kBindings;

std::vector<Binding>& live_bindings() {
  static std::vector<Binding> table(std::begin(kBindings), std::end(kBindings));
  return table;
}

}  // namespace

std::span<const Binding> bindings() { return live_bindings(); }

std::vector<Binding> default_bindings(MousePreset mouse) {
  std::vector<Binding> table(std::begin(kBindings), std::end(kBindings));
  if (mouse != MousePreset::Chrome) return table;
  constexpr Action kModes[] = {Action::MouseSelect, Action::MousePan, Action::MouseZoom, Action::MouseTiming};
  Key digit = Key::Digit1;
  for (const Action mode : kModes) {
    const Chord chord{digit, kNoModifier};
    for (Binding& other : table) {
      if (other.second == chord) other.second = {};
      if (other.chord == chord) other.chord = std::exchange(other.second, {});
    }
    table[static_cast<std::size_t>(mode)].chord = chord;
    digit = static_cast<Key>(static_cast<int>(digit) + 1);
  }
  return table;
}

void use_bindings(std::vector<Binding> table) {
  assert(table.size() == std::size(kBindings));
  live_bindings() = std::move(table);
}

const Binding& binding(Action action) {
  const Binding& found = live_bindings()[static_cast<std::size_t>(action)];
  assert(found.action == action);
  return found;
}

std::optional<Action> action_for(Chord chord) {
  if (chord.key == Key::None) return std::nullopt;
  for (const Binding& candidate : live_bindings()) {
    // Shift makes held actions faster; it does not change their chords.
    const Chord pressed =
        candidate.held ? Chord{chord.key, static_cast<std::uint8_t>(chord.modifiers & ~kShift)} : chord;
    if (pressed == candidate.chord || pressed == candidate.second) return candidate.action;
  }
  return std::nullopt;
}

bool collide(const Binding& a, Chord chord_a, const Binding& b, Chord chord_b) {
  if (chord_a.key == Key::None || chord_a.key != chord_b.key) return false;
  // Shift makes held actions faster.
  const auto ignored = static_cast<std::uint8_t>(a.held || b.held ? kShift : kNoModifier);
  return (chord_a.modifiers & ~ignored) == (chord_b.modifiers & ~ignored);
}

std::string keys_text(const Binding& binding) {
  std::string out = text(binding.chord);
  const std::string second = text(binding.second);
  if (!out.empty() && !second.empty()) out += ", ";
  return out += second;
}

std::string around_key(Action action, std::string_view before, std::string_view after, std::string_view otherwise) {
  const std::string key = text(binding(action).chord);
  return key.empty() ? std::string(otherwise) : std::string(before).append(key).append(after);
}

std::string key_in_brackets(Action action) { return around_key(action, " (", ")"); }

std::string key_or_title(Action action) {
  const Binding& row = binding(action);
  const std::string_view title = row.menu_title.empty() ? row.title : row.menu_title;
  return around_key(action, "", "", "\"" + std::string(title) + "\"");
}

std::string_view name(Key key) { return kKeyNames[static_cast<std::size_t>(key)]; }

std::string text(Chord chord) {
  std::string out;
  if (chord.key == Key::None) return out;
  if ((chord.modifiers & kCtrl) != 0) out += "Ctrl+";
  if ((chord.modifiers & kShift) != 0) out += "Shift+";
  if ((chord.modifiers & kAlt) != 0) out += "Alt+";
  return out += name(chord.key);
}

std::string_view name(Menu menu) {
  constexpr std::array<std::string_view, kMenus> kNames = {"File", "Edit", "View", "Go", "Lanes", "Analyse", "Window", "Help"};
  return kNames[static_cast<std::size_t>(menu)];
}

std::optional<Command> command_for(Action action) {
  const Binding& row = kBindings[static_cast<std::size_t>(action)];
  return row.held ? std::nullopt : std::optional(row.command());
}

}  // namespace tv
