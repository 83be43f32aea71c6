#include "ui/widgets/input/input_queue.h"

#include <algorithm>
#include <bitset>

namespace tv {

namespace {

bool is_modifier(Key key) { return key >= Key::Ctrl && key <= Key::Super; }

std::uint8_t modifier_bit(Key key) {
  switch (key) {
    case Key::Ctrl:
    case Key::Super:
      return kCtrl;
    case Key::Alt:
      return kAlt;
    default:
      return kNoModifier;
  }
}

/// ImGui reports with a delay of two frames that a text box has released the keyboard. During these frames nothing is taken if a
/// key caused the release, and keys are not merged into one text if a click may have.
constexpr int kFramesToKnow = 2;

bool leaves_text(Key key) { return key == Key::Enter || key == Key::Escape || key == Key::Tab; }

std::size_t index_of(Key key) { return static_cast<std::size_t>(key); }

}  // namespace

/// What the current frame has taken so far.
struct InputQueue::Taken {
  bool moved = false, button = false, wheel = false, shortcut = false, text = false;
  std::bitset<static_cast<std::size_t>(Key::kCount)> changed, pressed;  // by position, for keys that type no text
  bool acted() const { return button || wheel || shortcut || text; }
};

void InputQueue::add(const InputEvent& event) {
  if (!events_.empty() && events_.back().kind == event.kind) {
    InputEvent& last = events_.back();
    if (event.kind == InputKind::Move) {
      last = event;
      return;
    }
    // Opposite turns are not merged: an end may be reached in between.
    if (event.kind == InputKind::Wheel && last.x * event.x >= 0 && last.y * event.y >= 0) {
      last.x += event.x;
      last.y += event.y;
      last.time_s = event.time_s;
      return;
    }
  }
  events_.push_back(event);
}

/// Whether the event is the press of a key whose character is the next event. GLFW reports characters if neither Ctrl nor Alt is
/// down, or both (AltGr).
bool InputQueue::types(std::size_t at) const {
  const InputEvent& key = events_[at];
  const bool chord = modifiers_down_ == kCtrl || modifiers_down_ == kAlt;
  return key.kind == InputKind::Key && key.down && !chord && at + 1 < events_.size() &&
         events_[at + 1].kind == InputKind::Character;
}

bool InputQueue::fits(const InputEvent& event, const Taken& taken, bool text_input, bool one_text,
                      std::size_t at) const {
  switch (event.kind) {
    case InputKind::Move:
      return !taken.button && !taken.wheel && !taken.shortcut;
    case InputKind::Button:
      // A drag ends where the button is released, so moves are handled first: the dragged item follows while the button is down.
      return !taken.acted() && !(taken.moved && buttons_down_ != 0);
    case InputKind::Wheel:
      return !taken.acted();
    case InputKind::FocusLost:
      return !taken.acted() && taken.changed.none();
    case InputKind::Character:
      // After a shortcut only its own character fits, otherwise any, including those of a held key or an input method.
      if (taken.shortcut) return at > 0 && events_[at - 1].kind == InputKind::Key && events_[at - 1].down;
      return !taken.button && !taken.wheel;
    case InputKind::Key:
      break;
  }
  const std::size_t key = index_of(event.place);
  if (one_text && event.place == Key::Shift && taken.text) return true;  // the text so far already has its capitals
  if (is_modifier(event.place)) return !taken.acted() && !taken.changed[key];
  if (!event.down) return !taken.pressed[key];
  if (one_text && types(at)) return !taken.button && !taken.wheel && !taken.shortcut;
  // ImGui would not see that an editing key changes twice in a frame. Keys does see it for shortcuts.
  return !taken.acted() && !(text_input && taken.changed[key]);
}

std::span<const InputEvent> InputQueue::take(bool text_input) {
  frame_.clear();
  if (text_input) held_frames_ = 0;
  if (held_frames_ > 0) {
    --held_frames_;
    return frame_;
  }
  if (settling_frames_ > 0) {
    --settling_frames_;
    return frame_;
  }
  const bool one_text = text_input && ++frames_since_button_ > kFramesToKnow;
  Taken taken;
  std::size_t count = 0;
  for (; count < events_.size(); ++count) {
    const InputEvent& event = events_[count];
    if (!fits(event, taken, text_input, one_text, count)) break;
    switch (event.kind) {
      case InputKind::Move:
        taken.moved = true;
        break;
      case InputKind::Button:
        taken.button = true;
        frames_since_button_ = 0;
        buttons_down_ = event.down ? buttons_down_ | 1u << event.button : buttons_down_ & ~(1u << event.button);
        break;
      case InputKind::Wheel:
        taken.wheel = true;
        break;
      case InputKind::Character:
        taken.text = true;
        break;
      case InputKind::FocusLost:
        modifiers_down_ = kNoModifier;
        break;
      case InputKind::Key: {
        const std::uint8_t bit = modifier_bit(event.place);
        modifiers_down_ = static_cast<std::uint8_t>(event.down ? modifiers_down_ | bit : modifiers_down_ & ~bit);
        const bool text = one_text && types(count);
        taken.text |= text;
        taken.shortcut |= event.down && !text && !is_modifier(event.place);
        if (text) break;
        taken.changed.set(index_of(event.place));
        if (event.down) taken.pressed.set(index_of(event.place));
        if (event.down && text_input && leaves_text(event.place)) settling_frames_ = kFramesToKnow;
        break;
      }
    }
    frame_.push_back(event);
  }
  events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(count));
  return frame_;
}

}  // namespace tv
