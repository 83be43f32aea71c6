// Queues the user's input, in order, until a frame takes it. A frame may last a third of a second (software GL, remote X), in
// which a user does several things. But ImGui and panels only see the state at each frame: they would miss a key that went down
// and up again, and place a click where the mouse came to rest. So each frame takes only events that it can distinguish: one
// click, one shortcut, or any number of events that can be merged without loss (moves, the wheel, typed text, releases). The
// others wait for the next frame, which follows at once.
//
//   queue.add({.kind = InputKind::Button, .down = true, .button = 0, .x = 10, .y = 20, .time_s = now});
//   for (const InputEvent& event : queue.take(text_box_has_the_keyboard)) ...   // once per frame
//
// Knows neither ImGui nor the window. take() is linear in the events it returns. The idea is that of ImGui's own queue (from 1.87
// on; "trickling" in its docs/CHANGELOG.txt), which Debian 12's 1.86 lacks. In addition, our queue feeds Keys, gives the end of a
// drag and its release to different frames, and gives a text box its whole text at once.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "core/view/keys/keymap.h"

namespace tv {

enum class InputKind : std::uint8_t { Move, Button, Wheel, Key, Character, FocusLost };

struct InputEvent {
  InputKind kind = InputKind::Move;
  bool down = false;        ///< Key, Button
  std::uint8_t button = 0;  ///< Button: ImGui's and GLFW's numbers
  Key place = Key::None;    ///< Key: its name on a US keyboard
  Key print = Key::None;    ///< Key: what the user's layout prints on it
  char32_t character = 0;
  float x = 0, y = 0;  ///< position of the mouse; Wheel: how far it was turned
  double time_s = 0;   ///< when we received the event
  double doubt_s = 0;  ///< the event may have happened up to this much earlier, because events were not polled
};

class InputQueue {
 public:
  /// A move replaces a move right before it; wheel events in the same direction add up.
  void add(const InputEvent& event);

  /// The events of the next frame, oldest first; valid until the next call. With `text_input`, a text box has the keyboard: any
  /// number of keys that type become one text.
  std::span<const InputEvent> take(bool text_input);

  /// Events are left: the next frame should follow at once.
  bool waiting() const { return !events_.empty(); }

  /// A text box is about to get the keyboard, which takes ImGui some frames. Input until then is meant for the box, so take()
  /// returns nothing until `text_input` is set, for at most `frames` frames.
  void hold_for_text(int frames) { held_frames_ = frames; }

 private:
  struct Taken;
  bool fits(const InputEvent& event, const Taken& taken, bool text_input, bool one_text, std::size_t at) const;
  bool types(std::size_t at) const;

  std::deque<InputEvent> events_;
  std::vector<InputEvent> frame_;
  std::uint32_t buttons_down_ = 0;
  std::uint8_t modifiers_down_ = kNoModifier;  // after the events that were taken
  int held_frames_ = 0;                        // frames left to wait until a text box has the keyboard
  int settling_frames_ = 0;                    // frames left to wait until ImGui reports that a text box has released the keyboard
  int frames_since_button_ = 0;
};

}  // namespace tv
