#include "ui/widgets/input/keys.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "imgui.h"

namespace tv {

namespace {

constexpr float kRepeatDelay_s = 0.30f;
constexpr float kRepeatInterval_s = 0.05f;
constexpr double kLongestTap_s = 0.5;  // how long Alt may be held to count as a tap

std::size_t at(Key key) { return static_cast<std::size_t>(key); }

/// The number of repeats of a key that has been held this long.
int repeats_after(float held_s) {
  return held_s < kRepeatDelay_s ? 0 : 1 + static_cast<int>((held_s - kRepeatDelay_s) / kRepeatInterval_s);
}

/// Whether the chord edits the text of a box. All other chords work in text boxes too.
bool edits_text(Chord chord) {
  if (chord.modifiers == kAlt && chord.key >= Key::A && chord.key <= Key::Z) return false;  // types nothing
  switch (chord.key) {
    case Key::A:
    case Key::C:
    case Key::V:
    case Key::X:
    case Key::Y:
    case Key::Z:
      return true;
    default:
      break;
  }
  if (chord.key >= Key::F1 && chord.key <= Key::F12) return false;
  const bool moves_or_deletes = chord.key >= Key::Left && chord.key <= Key::Delete;
  return (chord.modifiers & kCtrl) == 0 || moves_or_deletes;
}

/// Whether a binding goes by the position of this key, whatever is printed on it.
bool is_physical(Key key) {
  return std::ranges::any_of(bindings(),
                             [key](const Binding& b) { return b.held && b.chord.key == key; });
}

std::uint8_t modifiers_down() {
  const ImGuiIO& io = ImGui::GetIO();
#ifdef __APPLE__
  const bool ctrl = io.KeySuper;
#else
  const bool ctrl = io.KeyCtrl;
#endif
  return static_cast<std::uint8_t>((ctrl ? kCtrl : 0) | (io.KeyShift ? kShift : 0) | (io.KeyAlt ? kAlt : 0));
}

}  // namespace

Key plain_key(Key place, Key print) { return is_physical(place) || is_physical(print) ? place : print; }

char32_t character_of(Key key) {
  const std::string_view printed = name(key);
  if (printed.size() != 1 || std::isalnum(static_cast<unsigned char>(printed[0]))) return 0;
  return static_cast<char32_t>(printed[0]);
}

void Keys::set(State& state, bool down) {
  if (down && !state.down) {
    state.arrived = true;
    state.modifiers = modifiers_now();
    state.held_s = 0;
  }
  state.down = down;
}

std::uint8_t Keys::modifiers_now() const {
  const auto down = [&](Key key) { return by_print_[at(key)].down; };
#ifdef __APPLE__
  const bool ctrl = down(Key::Super);
#else
  const bool ctrl = down(Key::Ctrl);
#endif
  return static_cast<std::uint8_t>((ctrl ? kCtrl : 0) | (down(Key::Shift) ? kShift : 0) | (down(Key::Alt) ? kAlt : 0));
}

void Keys::on_key(Key place, Key print, bool down, double time_s, double doubt_s) {
  if (print != Key::Alt) {
    alt_alone_ = alt_alone_ && !down;
  } else if (down) {
    alt_alone_ = std::ranges::none_of(by_print_, &State::down);
    alt_down_s_ = time_s;
  } else {
    alt_let_go_ |= std::exchange(alt_alone_, false) && time_s - doubt_s - alt_down_s_ <= kLongestTap_s;
  }
  set(plain_[at(plain_key(place, print))], down);
  set(by_print_[at(print)], down);
}

void Keys::release_all() {
  alt_alone_ = false;
  for (States* states : {&plain_, &by_print_})
    for (State& state : *states) state.down = false;
}

void Keys::advance(States& states, float dt_s) {
  for (State& state : states) {
    state.went_down = state.arrived;
    state.arrived = false;
    state.repeats = false;
    if (state.down || state.went_down) {
      const int repeats_before = repeats_after(state.held_s);
      state.held_s += dt_s;
      state.repeats = repeats_after(state.held_s) > repeats_before;
    } else {
      state.held_s = 0;
    }
  }
}

void Keys::new_frame(float dt_s) {
  advance(plain_, dt_s);
  advance(by_print_, dt_s);
  const ImGuiIO& io = ImGui::GetIO();
  text_input_ = io.WantTextInput;
  characters_.assign(io.InputQueueCharacters.begin(), io.InputQueueCharacters.end());
  modifiers_ = modifiers_down();
  const bool mouse_used = std::ranges::any_of(io.MouseDown, [](bool down) { return down; }) || io.MouseWheel != 0;
  if (mouse_used) alt_is_used();
  alt_tapped_ = std::exchange(alt_let_go_, false) && !text_input_;
  table_ = std::exchange(table_next_, false);
  any_went_down_ = std::ranges::any_of(plain_, &State::went_down);
  std::swap(tables_, tables_last_);
  tables_.clear();
  turned_ = std::exchange(turn_next_, false);
}

bool Keys::table_is_here(const void* table, bool has) {
  tables_.push_back(table);
  if (has) focused_table_ = table;
  if (!has && focused_table_ == table) focused_table_ = nullptr;
  return turned_ && next_focused_table_ == table;
}

// Tables register during a frame, so this frame's list may be incomplete: the longer one is used.
bool Keys::next_table(bool forward) {
  const std::vector<const void*>& tables = tables_.size() > tables_last_.size() ? tables_ : tables_last_;
  if (tables.empty()) return false;
  const auto now = std::ranges::find(tables, focused_table_);
  const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(tables.size());
  // The timeline comes after the last table.
  const std::ptrdiff_t from = now - tables.begin(), to = (from + (forward ? 1 : count)) % (count + 1);
  next_focused_table_ = to == count ? nullptr : tables[static_cast<std::size_t>(to)];
  turn_next_ = true;
  return true;
}

bool Keys::happens(Chord chord, bool with_repeats) const {
  if (chord.key == Key::None || (text_input_ && edits_text(chord))) return false;
  const char32_t character = character_of(chord.key);
  if (character != 0 && chord.modifiers == kNoModifier) {
    const bool shortcut = (modifiers_ & (kCtrl | kAlt)) == kCtrl;  // Ctrl and Alt together are AltGr, which types characters
    const bool now = with_repeats || any_went_down_;               // the system repeats characters itself
    // On Dvorak the key that zooms in types ',': its position wins, and ',' moves to where W is printed.
    const State &by_place = plain_[at(chord.key)], &by_print = by_print_[at(chord.key)];
    const bool placed = by_place.went_down || by_place.down, printed = by_print.went_down || by_print.down;
    if (printed && !placed) return false;
    if (placed && !printed) return modifiers_ == kNoModifier && (by_place.went_down || (with_repeats && by_place.repeats));
    return !shortcut && now && characters_.find(character) != std::u32string::npos;
  }

  const States& states = (chord.modifiers & (kCtrl | kAlt)) != 0 ? by_print_ : plain_;
  const State& state = states[at(chord.key)];
  const auto ignored = character != 0 ? kShift : kNoModifier;  // Ctrl++ is Ctrl+Shift+= on many keyboards
  // A quick Ctrl+Q may be over when the frame begins, so the modifiers at the time of the press count.
  const std::uint8_t modifiers = state.went_down ? state.modifiers : modifiers_;
  return (state.went_down || (with_repeats && state.repeats)) && (modifiers & ~ignored) == chord.modifiers;
}

bool Keys::moves_in_table(Chord chord) {
  if (chord.modifiers == kCtrl) return chord.key == Key::A || chord.key == Key::C;
  const bool alone = chord.modifiers == kNoModifier;
  if (alone && (chord.key == Key::Enter || chord.key == Key::Space || chord.key == Key::Slash)) return true;
  if ((chord.modifiers & ~kShift) != 0) return false;
  return chord.key == Key::Up || chord.key == Key::Down || chord.key == Key::PageUp || chord.key == Key::PageDown ||
         chord.key == Key::Home || chord.key == Key::End;
}

bool Keys::typed_in_table(Chord chord) const { return table_ && happens(chord, true); }
bool Keys::pressed(Chord chord) const { return !(table_ && moves_in_table(chord)) && happens(chord, false); }
bool Keys::typed(Chord chord) const { return !(table_ && moves_in_table(chord)) && happens(chord, true); }
bool Keys::pressed(const Binding& binding) const { return pressed(binding.chord) || pressed(binding.second); }
bool Keys::typed(const Binding& binding) const { return typed(binding.chord) || typed(binding.second); }

float Keys::held(const Binding& binding) const {
  if (text_input_ || (modifiers_ & ~kShift) != 0) return 0;
  return std::max(plain_[at(binding.chord.key)].held_s, plain_[at(binding.second.key)].held_s);
}

bool Keys::any_held() const { return std::ranges::any_of(plain_, &State::down); }

}  // namespace tv
