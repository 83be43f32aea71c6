#include "ui/widgets/keys.h"

#include <algorithm>

#include "imgui.h"

namespace tv {

namespace {

constexpr float kRepeatDelay_s = 0.30f;
constexpr float kRepeatInterval_s = 0.05f;

std::size_t at(Key key) { return static_cast<std::size_t>(key); }

/// How often a key held for that long has repeated.
int repeats_after(float held_s) {
  return held_s < kRepeatDelay_s ? 0 : 1 + static_cast<int>((held_s - kRepeatDelay_s) / kRepeatInterval_s);
}

/// Keys that do something to the text in a box; all other shortcuts work there too.
bool edits_text(Key key, Mods mods) {
  if (mods.command && !mods.alt)
    return key == Key::A || key == Key::C || key == Key::V || key == Key::X || key == Key::Y || key == Key::Z ||
           key >= Key::Left;
  return !(key >= Key::F1 && key <= Key::F12);
}

}  // namespace

void Keys::set(State& state, bool down) {
  if (down && !state.down) {
    state.arrived = true;
    state.held_s = 0;
  }
  state.down = down;
}

void Keys::on_key(Key position, Key layout, bool down) {
  set(by_position_[at(position)], down);
  set(by_layout_[at(layout)], down);
}

void Keys::release_all() {
  for (States* states : {&by_position_, &by_layout_})
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
  advance(by_position_, dt_s);
  advance(by_layout_, dt_s);
  const ImGuiIO& io = ImGui::GetIO();
  text_input_ = io.WantTextInput;
  characters_.assign(io.InputQueueCharacters.begin(), io.InputQueueCharacters.end());
}

Mods Keys::mods() const {
  const ImGuiIO& io = ImGui::GetIO();
#ifdef __APPLE__
  return {.command = io.KeySuper, .shift = io.KeyShift, .alt = io.KeyAlt};
#else
  return {.command = io.KeyCtrl, .shift = io.KeyShift, .alt = io.KeyAlt};
#endif
}

bool Keys::pressed(Key key, Mods wanted) const {
  return by_layout_[at(key)].went_down && mods() == wanted && !(text_input_ && edits_text(key, wanted));
}

bool Keys::typed(Key key, Mods wanted) const {
  const State& state = by_layout_[at(key)];
  return (state.went_down || state.repeats) && mods() == wanted && !(text_input_ && edits_text(key, wanted));
}

float Keys::held(Key position) const {
  const ImGuiIO& io = ImGui::GetIO();
  if (text_input_ || io.KeyCtrl || io.KeyAlt || io.KeySuper) return 0;
  return by_position_[at(position)].held_s;
}

bool Keys::tapped(Key position) const { return held(position) > 0 && by_position_[at(position)].went_down; }

bool Keys::character(char32_t c) const {
  return !text_input_ && characters_.find(c) != std::u32string::npos;
}

bool Keys::text_input_active() const { return text_input_; }

bool Keys::any_held() const {
  return std::any_of(by_position_.begin(), by_position_.end(), [](const State& state) { return state.down; });
}

}  // namespace tv
