// The live table of actions (commands.inc): what keys and menus do. Dispatch, help screen, menus and the user's documentation all read
// it, so what the help says is what the keys do. Keys are our own enum; ui maps its toolkit's keys to it.
// There is one such table in a program, as there is one pair of hands: it begins as the defaults, and the user's
// file of keys (key_file.h) changes chords in it. Read and changed by the thread of the window alone.
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
  Question,  ///< the character '?', wherever the layout has it
  Colon,     ///< the character ':', wherever the layout has it
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

/// What an action needs, to do anything.
enum class Need : std::uint8_t {
  None, Open, Data, Loading, Slice, Selection, Lane, PointedGap, Marks, Searched, Requests, Steps, Runs, MoreTimes, MoreColors,
  ClosedTab, ClosedFiles, LastSession, Recent, Sample
};

struct Binding {
  Action action;
  std::string_view id;     ///< stable name, for settings and scripts: "view.fit_all"
  std::string_view title;  ///< for help and menus
  std::string_view group;  ///< heading in the help screen
  Chord chord = {}, second = {};  ///< default keys; second may be none
  bool held = false;  ///< acts as long as it is down; see navigation.h. With Shift it is faster. It counts by position on a US
                      ///< keyboard, not by letter (WASD on AZERTY: ZQSD).
  Menu menu = Menu::Window;
  Need need = Need::None;
  std::string_view section, menu_title;  ///< in the menu; a title only where it is another one
  Command (*command)() = nullptr;        ///< of a held one: what it does when a menu asks for it once
};

std::span<const Binding> bindings();  ///< in the order of Action, which is the order of the help screen
/// The bindings of a mouse preset, before the user changes anything: Chrome's has keys for the modes of dragging.
std::vector<Binding> default_bindings(MousePreset mouse);
/// From now on these; in the order of Action.
void use_bindings(std::vector<Binding> table);
const Binding& binding(Action action);

/// The action of a pressed chord, held ones included; none when the key means nothing.
std::optional<Action> action_for(Chord chord);
/// Two chords that one press would mean both of.
bool collide(const Binding& a, Chord of_a, const Binding& b, Chord of_b);
/// "Ctrl+Shift+P", "W", "?"; empty for none.
std::string text(Chord chord);
/// Both chords of a binding, "0, Home"; empty: it has none.
std::string keys_text(const Binding& binding);
std::string_view name(Key key);
/// The command of an action. None for held ones, which navigation.h serves.
std::optional<Command> command_for(Action action);

/// Mouse gestures, for the help screen only; what they do is in mouse_map.h.
struct Gesture {
  std::string_view gesture, title, group;
};
std::span<const Gesture> gestures(MousePreset preset);
std::span<const Gesture> gestures();  ///< of the preset in use

}  // namespace tv
