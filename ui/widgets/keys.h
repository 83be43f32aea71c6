// The keyboard as panels see it, the same for every version of ImGui, for real windows and for scripts.
//
// ImGui 1.86 names keys by their position on a US keyboard, later versions by what the user's layout prints on them. Both
// are needed: w/a/s/d are a shape under the left hand (position), Ctrl+C is a letter (layout). So the window tells this
// class about each key event itself. Punctuation is neither: ask for the character that was typed.
//
// Keys pressed while a text box has the focus belong to that box: they are not seen here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tv {

enum class Key : std::uint8_t {
  A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z,
  Num0, Num1, Num2, Num3, Num4, Num5, Num6, Num7, Num8, Num9,
  F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12,
  Left, Right, Up, Down, Home, End, PageUp, PageDown,
  Enter, Escape, Tab, Space, Backspace, Insert, Delete,
  Minus, Equal,                ///< zoom the interface; also the keypad's
  Ctrl, Shift, Alt, Super,     ///< left or right
  Count,
};

inline constexpr std::size_t kKeyCount = static_cast<std::size_t>(Key::Count);

/// Modifier keys that are down. `command` is Ctrl, or Cmd on macOS.
struct Mods {
  bool command = false, shift = false, alt = false;
  bool operator==(const Mods&) const = default;
};

inline constexpr Mods kNoMods{};
inline constexpr Mods kCommand{.command = true};
inline constexpr Mods kShift{.shift = true};
inline constexpr Mods kAlt{.alt = true};
inline constexpr Mods kCommandShift{.command = true, .shift = true};

class Keys {
 public:
  // --- for panels ---

  /// The key named on the user's layout went down in this frame, with exactly these modifiers.
  bool pressed(Key key, Mods mods = kNoMods) const;
  /// Like pressed, and again and again while the key stays down: for stepping through things.
  bool typed(Key key, Mods mods = kNoMods) const;
  /// Seconds that the key at this place of a US keyboard has been down, 0 when up; at least one frame's length for a
  /// tap shorter than a frame. 0 while Ctrl, Alt or Super is down: those are shortcuts.
  float held(Key position) const;
  /// The key at this place went down in this frame.
  bool tapped(Key position) const;
  /// The character was typed in this frame, whatever keys that took: '/', '?', '[', '.'.
  bool character(char32_t c) const;
  Mods mods() const;
  /// A text box has the keyboard.
  bool text_input_active() const;
  /// Some key is down, so time matters: keep drawing.
  bool any_held() const;

  // --- for the window and the headless driver ---

  void on_key(Key position, Key layout, bool down);
  /// The window lost the focus: the keys' releases will never be reported.
  void release_all();
  /// After the events of a frame have arrived and ImGui::NewFrame has run.
  void new_frame(float dt_s);

 private:
  struct State {
    bool down = false;         ///< now
    bool arrived = false;      ///< went down since the last new_frame
    bool went_down = false;    ///< in this frame
    bool repeats = false;      ///< in this frame
    float held_s = 0;
  };
  using States = std::array<State, kKeyCount>;

  static void set(State& state, bool down);
  static void advance(States& states, float dt_s);

  States by_position_{}, by_layout_{};
  std::u32string characters_;  // of this frame
  bool text_input_ = false;
};

}  // namespace tv
