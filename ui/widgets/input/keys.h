// The keyboard as panels see it: the same for every version of ImGui, for real windows and for scripts. The keys are those of
// core/view/keys/keymap.h, which also maps them to actions.
//
// A key has three meanings, and each shortcut uses one of them:
//   where it is      w/a/s/d are a shape under the left hand; on a French keyboard z/q/s/d
//   what it prints   Ctrl+C is the key with the C
//   what it types    '/' and '?' may take Shift or AltGr, and any key
// ImGui 1.86 knows the first, later versions the second, so the window reports each key event to this class itself. If the first
// two collide, positions win and letters move: on a French keyboard the drawer (Q) is at the key A.
//
// While a text box has the keyboard, keys that write or edit text belong to it and are not seen here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/view/keys/keymap.h"

namespace tv {

class Keys {
 public:
  // --- for panels ---

  /// The chord was pressed in this frame, with exactly its modifiers.
  bool pressed(Chord chord) const;
  /// Like pressed(), and repeatedly while the key stays down: for stepping.
  bool typed(Chord chord) const;
  /// The same for either chord of the binding.
  bool pressed(const Binding& binding) const;
  bool typed(const Binding& binding) const;
  /// Seconds that a key of a held binding has been down, 0 when up, at least one frame's length for a shorter
  /// tap. Shift may be down too, for speed; with Ctrl or Alt the keys mean something else and count as up.
  float held(const Binding& binding) const;

  bool shift() const { return (modifiers_ & kShift) != 0; }
  /// Ctrl, or Cmd on macOS.
  bool ctrl() const { return (modifiers_ & kCtrl) != 0; }
  bool alt() const { return (modifiers_ & kAlt) != 0; }
  /// Alt was released after a short press, and nothing else happened while it was down. On desktops that opens the menus.
  bool alt_tapped() const { return alt_tapped_; }
  /// A text box has the keyboard.
  bool text_input_active() const { return text_input_; }
  /// What was typed in this frame, by keys or by an input method (which may give whole words of Chinese or Japanese at once).
  std::u32string_view characters() const { return characters_; }
  /// A table that was clicked gets the keys that move in it (arrows, pages, Home, End, Enter, Ctrl+A, Ctrl+C) until a click
  /// elsewhere or Esc. It calls this in each frame; other panels then do not see these keys in the next frame.
  void give_to_table() { table_next_ = true; }
  /// typed() for that table.
  bool typed_in_table(Chord chord) const;
  /// Tables in sight call this in each frame, in drawing order; `has`: it has the keyboard. Returns true when it is given the
  /// keyboard.
  bool table_is_here(const void* table, bool has);
  /// Gives the keyboard to the next table in sight, and after the last one back to the timeline. False: there is none.
  bool next_table(bool forward);
  /// The keyboard has been given to a table or taken from all tables since the last frame.
  bool table_turned() const { return turned_; }
  /// The key is down now and no text box has the keyboard.
  bool down(Key key) const { return !text_input_ && plain_[static_cast<std::size_t>(key)].down; }
  /// Some key is down, so frames must continue.
  bool any_held() const;

  // --- for the window and the headless driver ---

  /// `place`: the key's name on a US keyboard. `print`: what the user's layout prints on it. `time_s`: any monotonic clock.
  /// `doubt_s`: the event may have happened up to this much earlier.
  void on_key(Key place, Key print, bool down, double time_s, double doubt_s = 0);
  /// Alt is held for something other than the menus: the mouse was used or left the window. When a window manager moves a window
  /// with Alt and the mouse, we see no button, but we do see that the mouse has left.
  void alt_is_used() { alt_alone_ = alt_let_go_ = false; }
  /// The window lost the focus: the keys' releases will never be reported.
  void release_all();
  /// After the events of a frame have arrived and ImGui::NewFrame has run.
  void new_frame(float dt_s);

 private:
  struct State {
    bool down = false;       // now
    bool arrived = false;    // went down since the last new_frame
    bool went_down = false;  // in this frame
    bool repeats = false;    // in this frame
    std::uint8_t modifiers = kNoModifier;  // modifiers that were down when it went down
    float held_s = 0;
  };
  using States = std::array<State, static_cast<std::size_t>(Key::kCount)>;

  void set(State& state, bool down);
  std::uint8_t modifiers_now() const;
  static void advance(States& states, float dt_s);
  bool happens(Chord chord, bool with_repeats) const;
  static bool moves_in_table(Chord chord);

  States plain_{};     // for chords without Ctrl and Alt: by position if a binding is physical, else by print
  States by_print_{};  // for chords with Ctrl or Alt
  std::u32string characters_;  // typed in this frame
  std::uint8_t modifiers_ = kNoModifier;
  bool any_went_down_ = false;
  double alt_down_s_ = 0;
  bool alt_alone_ = false, alt_let_go_ = false, alt_tapped_ = false;
  bool text_input_ = false;
  bool table_ = false, table_next_ = false;
  std::vector<const void*> tables_, tables_last_;  ///< tables in sight in this frame and in the one before
  const void* has_table_ = nullptr;                ///< the one of those that has the keyboard
  const void* turn_ = nullptr;                     ///< table that gets the keyboard next
  bool turned_ = false, turn_next_ = false;
};

/// The key that counts while neither Ctrl nor Alt is down.
Key plain_key(Key place, Key print);

/// The character a punctuation key stands for; 0 for other keys.
char32_t character_of(Key key);

}  // namespace tv
