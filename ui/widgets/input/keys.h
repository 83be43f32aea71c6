// The keyboard as panels see it: the same for every version of ImGui, for real windows and for scripts. The keys are those of
// core/view/keys/keymap.h, which also maps them to actions.
//
// A key is identified in one of three ways, depending on the shortcut:
//   by position          w/a/s/d lie under the left hand; on a French keyboard these are z/q/s/d
//   by what it prints    Ctrl+C is the key with the C
//   by what it types     '/' and '?' can be on any key, and may need Shift or AltGr
// ImGui 1.86 reports only the first, later versions the second, so the window reports each key event to this class. If the first
// two collide, positions win and letters move: on a French keyboard the drawer (Q) is at the key A.
//
// While a text box has the keyboard, keys that write or edit text belong to the box, and this class does not report them.
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
  /// Like pressed(), but repeats while the key stays down: for stepping.
  bool typed(Chord chord) const;
  /// The same for either chord of the binding.
  bool pressed(const Binding& binding) const;
  bool typed(const Binding& binding) const;
  /// How long a key of a held binding has been down, in seconds; 0 if it is up. A shorter tap counts as one frame. Shift may be
  /// down too, for speed. With Ctrl or Alt the keys mean something else and count as up.
  float held(const Binding& binding) const;

  bool shift() const { return (modifiers_ & kShift) != 0; }
  /// Ctrl, or Cmd on macOS.
  bool ctrl() const { return (modifiers_ & kCtrl) != 0; }
  bool alt() const { return (modifiers_ & kAlt) != 0; }
  /// Alt was released after a short press in which nothing else happened. On desktops this opens the menus.
  bool alt_tapped() const { return alt_tapped_; }
  /// A text box has the keyboard.
  bool text_input_active() const { return text_input_; }
  /// What was typed in this frame, by keys or by an input method, which may give whole words of Chinese or Japanese at once.
  std::u32string_view characters() const { return characters_; }
  /// A table with the keyboard calls this in each frame. It then gets the keys of tables (Up, Down, pages, Home, End, Enter, Space,
  /// '/', Ctrl+A, Ctrl+C), and other panels do not see these keys in the next frame.
  void give_to_table() { table_next_ = true; }
  /// typed() for that table.
  bool typed_in_table(Chord chord) const;
  /// Tables in sight call this in each frame, in drawing order. `has`: the table has the keyboard. Returns true if next_table()
  /// gives the keyboard to this table now.
  bool table_is_here(const void* table, bool has);
  /// Gives the keyboard to the next table in sight (not `forward`: the previous one), and after the last one back to the timeline.
  /// False if no table is in sight.
  bool next_table(bool forward);
  /// In this frame, next_table() gives the keyboard to a table or to the timeline.
  bool table_turned() const { return turned_; }
  /// The key is down now and no text box has the keyboard.
  bool down(Key key) const { return !text_input_ && plain_[static_cast<std::size_t>(key)].down; }
  /// Some key is down, so frames must continue.
  bool any_held() const;

  // --- for the window and the headless driver ---

  /// `place`: the key's name on a US keyboard. `print`: what the user's layout prints on the key. `time_s`: from any monotonic
  /// clock. `doubt_s`: the event may have happened up to this much earlier.
  void on_key(Key place, Key print, bool down, double time_s, double doubt_s = 0);
  /// Alt is held for something other than the menus: the mouse was used, or has left the window. If a window manager moves the
  /// window with Alt and the mouse, we see no button, but we see the mouse leave.
  void alt_is_used() { alt_alone_ = alt_let_go_ = false; }
  /// The window lost the focus, so it will never see the releases of the keys that are down.
  void release_all();
  /// Call after the events of a frame have arrived and ImGui::NewFrame has run.
  void new_frame(float dt_s);

 private:
  struct State {
    bool down = false;       // now
    bool arrived = false;    // went down since the last new_frame
    bool went_down = false;  // in this frame
    bool repeats = false;    // in this frame
    std::uint8_t modifiers = kNoModifier;  // modifiers that were down when the key went down
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
  bool table_ = false, table_next_ = false;        ///< a table has claimed the keys of this frame, of the next frame
  std::vector<const void*> tables_, tables_last_;  ///< tables in sight in this frame and in the one before
  const void* focused_table_ = nullptr;            ///< the table that has the keyboard
  const void* next_focused_table_ = nullptr;       ///< the table to which next_table() gives the keyboard; null: the timeline
  bool turned_ = false, turn_next_ = false;        ///< next_table() takes effect in this frame, in the next frame
};

/// Which of the two counts while neither Ctrl nor Alt is down.
Key plain_key(Key place, Key print);

/// The character that a punctuation key stands for; 0 for other keys.
char32_t character_of(Key key);

}  // namespace tv
