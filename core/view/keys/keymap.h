// The live table of actions (commands.inc): what keys and menus do. Dispatch, help screen, menus and the user's documentation all
// read it, so the help always matches the keys. Keys are our own enum; ui maps its toolkit's keys to it. There is one such table
// per program: it starts with the defaults, and the user's file of keys (key_file.h) changes its chords. Only the window's thread
// reads and changes it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/view/keys/commands.h"

namespace tv {

enum class Key : std::uint8_t {
  None,
  A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z,
  Digit0, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9,
  F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12,
  Left, Right, Up, Down, Home, End, PageUp, PageDown,
  Enter, Escape, Space, Tab, Backspace, Delete,
  Comma, Period, Slash, Minus, Equal, LeftBracket, RightBracket,
  Question,  ///< the character '?', wherever the keyboard layout has it
  Colon,     ///< the character ':', wherever the keyboard layout has it
  Insert,
  Ctrl, Shift, Alt, Super,  ///< left or right
  kCount
};

enum KeyModifier : std::uint8_t { kNoModifier = 0, kCtrl = 1, kShift = 2, kAlt = 4 };

struct Chord {
  Key key = Key::None;
  std::uint8_t modifiers = kNoModifier;
  bool operator==(const Chord&) const = default;
};

enum class Action : std::uint8_t {
#define TV_ACTION(action, ...) action,
#include "core/view/keys/commands.inc"
  kCount
};

enum class Menu : std::uint8_t { File, Edit, View, Go, Lanes, Analyse, Window, Help, kCount };
inline constexpr std::size_t kMenus = static_cast<std::size_t>(Menu::kCount);
std::string_view name(Menu menu);

/// What an action needs in order to have an effect.
enum class Need : std::uint8_t {
  None, Open, Data, Loading, Slice, Selection, Lane, PointedGap, Marks, Searched, Requests, Steps, Runs, MoreTimes, MoreColors,
  ClosedTab, ClosedFiles, LastSession, Recent, Sample
};

struct Binding {
  Action action;
  std::string_view id;     ///< stable name, for settings and scripts: "view.fit_all"
  std::string_view title;  ///< for help and menus
  std::string_view group;  ///< heading in the help screen
  Chord chord = {}, second = {};  ///< either may be none
  bool held = false;  ///< acts as long as the key is down; see navigation.h. With Shift it is faster. The key counts by its
                      ///< position on a US keyboard, not by its letter (WASD on AZERTY: ZQSD).
  Menu menu = Menu::Window;
  Need need = Need::None;
  std::string_view section, menu_title;  ///< in the menu; menu_title only if it differs from title
  Command (*command)() = nullptr;        ///< for a held action: what it does once when chosen from a menu
};

std::span<const Binding> bindings();  ///< in the order of Action, which is the order of the help screen
/// The bindings of a mouse preset, before the user changes anything: Chrome's has keys for the modes of dragging.
std::vector<Binding> default_bindings(MousePreset mouse);
/// Replaces the live table; in the order of Action.
void use_bindings(std::vector<Binding> table);
const Binding& binding(Action action);

/// The action of a pressed chord, held ones included; none if the key has no action.
std::optional<Action> action_for(Chord chord);
/// Whether one key press would trigger both chords.
bool collide(const Binding& a, Chord chord_a, const Binding& b, Chord chord_b);
/// "Ctrl+Shift+P", "W", "?"; empty for a chord without a key.
std::string text(Chord chord);
/// The chords of a binding, "0, Home"; empty if it has none.
std::string keys_text(const Binding& binding);
/// A part of a text that needs the key of an action: `before`, the key, `after`; `otherwise` if the action has no key.
std::string around_key(Action action, std::string_view before, std::string_view after, std::string_view otherwise = {});
/// The end of a text that offers the action: " (Ctrl+T)"; empty if the action has no key.
std::string key_in_brackets(Action action);
/// What a sentence calls the action: its key, or its title in menus, in quotes.
std::string key_or_title(Action action);
std::string_view name(Key key);
/// The command of an action. None for held actions, which navigation.h handles.
std::optional<Command> command_for(Action action);

/// Mouse gestures, only as texts for the help screen and the manual; what they do is in mouse_map.h.
struct Gesture {
  std::string_view gesture, title, group;
};
std::span<const Gesture> gestures(MousePreset preset);
std::span<const Gesture> gestures();  ///< of the preset in use

}  // namespace tv
