// The keyboard as panels see it, driven as a script drives it; ImGui runs without window and GL.
#include "ui/widgets/input/keys.h"

#include <doctest/doctest.h>

#include <string>

#include "imgui.h"
#include "tests/ui/bare_imgui.h"

using namespace tv;

namespace {

const Binding& kW = binding(Action::ZoomIn);
const Binding& kD = binding(Action::PanRight);

struct KeyDesk : test::BareDesk {
  bool draw() override {
    box = test::text_box_window(text);
    return false;
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }

  char text[64] = "";
  ImVec2 box{};
};

}  // namespace

TEST_CASE("keys: pressed is true in one frame, held grows until the release") {
  KeyDesk desk;
  desk.frame();
  CHECK(!desk.keys.pressed(kW));
  CHECK(!desk.keys.any_held());
  desk.io.press_key(Key::W);
  desk.frame();
  CHECK(desk.keys.pressed(kW));
  CHECK(desk.keys.pressed({Key::W}));
  CHECK(desk.keys.held(kW) == doctest::Approx(1 / 60.0));
  CHECK(desk.keys.any_held());
  desk.frames(11);
  CHECK(!desk.keys.pressed(kW));
  CHECK(desk.keys.held(kW) == doctest::Approx(0.2));
  desk.io.release_key(Key::W);
  desk.frame();
  CHECK(desk.keys.held(kW) == 0);
  CHECK(!desk.keys.any_held());
}

TEST_CASE("keys: a tap shorter than a frame is not lost") {
  KeyDesk desk;
  desk.io.press_key(Key::D);
  desk.io.release_key(Key::D);
  desk.frame();
  CHECK(desk.keys.pressed({Key::D}));
  CHECK(desk.keys.held(kD) > 0);
  desk.frame();
  CHECK(!desk.keys.pressed({Key::D}));
  CHECK(desk.keys.held(kD) == 0);
}

TEST_CASE("keys: typed repeats twenty times a second after a pause") {
  KeyDesk desk;
  desk.io.press_key(Key::Down);
  int before_pause = 0, in_a_second = 0;
  for (int i = 0; i < 17; ++i) {
    desk.frame();
    before_pause += desk.keys.typed({Key::Down});
  }
  for (int i = 0; i < 60; ++i) {
    desk.frame();
    in_a_second += desk.keys.typed({Key::Down});
  }
  CHECK(before_pause == 1);
  CHECK(in_a_second >= 19);
  CHECK(in_a_second <= 21);
}

TEST_CASE("keys: modifiers must match exactly, and Ctrl stops w/a/s/d") {
  KeyDesk desk;
  desk.io.press_key(Key::Ctrl);
  desk.io.press_key(Key::W);
  desk.frame();
  CHECK(desk.keys.pressed({Key::W, kCtrl}));
  CHECK(!desk.keys.pressed({Key::W}));
  CHECK(!desk.keys.pressed({Key::W, kCtrl | kShift}));
  CHECK(desk.keys.held(kW) == 0);
  CHECK(desk.keys.ctrl());
  CHECK(!desk.keys.shift());
  desk.io.release_key(Key::Ctrl);
  desk.io.press_key(Key::Shift);
  desk.frame();
  CHECK(desk.keys.held(kW) > 0);  // shift means faster
}

TEST_CASE("keys: on a French keyboard w/a/s/d keep their positions, other shortcuts follow the letters") {
  const auto does = [](Key place, Key print, Action action, bool ctrl = false) {
    KeyDesk desk;
    desk.frame();
    if (ctrl) desk.io.press_key(Key::Ctrl);
    desk.keys.on_key(place, print, true, desk.io.now_s());
    desk.frame();
    return desk.keys.pressed(binding(action));
  };
  CHECK(does(Key::W, Key::Z, Action::ZoomIn));
  CHECK(!does(Key::W, Key::Z, Action::FitSelection));  // its key is Z
  CHECK(does(Key::Z, Key::W, Action::FitSelection));
  CHECK(does(Key::A, Key::Q, Action::PanLeft));
  CHECK(does(Key::Q, Key::A, Action::ToggleDrawer));
  CHECK(does(Key::Z, Key::W, Action::Close, true));  // Ctrl+W: shortcuts go by the letter
  CHECK(!does(Key::W, Key::Z, Action::Close, true));
  CHECK(does(Key::None, Key::M, Action::AddMark));  // at the place of ';'
}

TEST_CASE("keys: on Dvorak the key at W's position only zooms in, although it types a comma") {
  KeyDesk desk;
  desk.frame();
  desk.keys.on_key(Key::W, Key::Comma, true, desk.io.now_s());
  desk.io.type(",");
  desk.frame();
  CHECK(desk.keys.held(kW) > 0);
  CHECK(!desk.keys.pressed(binding(Action::PreviousSlice)));
  desk.keys.on_key(Key::W, Key::Comma, false, desk.io.now_s());
  desk.frame();
  desk.keys.on_key(Key::Comma, Key::W, true, desk.io.now_s());
  desk.io.type("w");
  desk.frame();
  CHECK(desk.keys.held(kW) == 0);
  CHECK(desk.keys.pressed(binding(Action::PreviousSlice)));
  desk.keys.on_key(Key::Comma, Key::W, false, desk.io.now_s());
  desk.keys.on_key(Key::E, Key::Period, true, desk.io.now_s());
  desk.io.type(".");
  desk.frame();
  CHECK(desk.keys.pressed(binding(Action::NextSlice)));
}

TEST_CASE("keys: a binding also works with its second chord") {
  KeyDesk desk;
  desk.io.press_key(Key::Right);
  desk.frame();
  CHECK(desk.keys.held(kD) > 0);
  CHECK(desk.keys.pressed(kD));
  CHECK(desk.keys.held(kW) == 0);
}

TEST_CASE("keys: a text box keeps the keys it uses, other shortcuts pass") {
  KeyDesk desk;
  desk.frame();
  desk.click({desk.box.x + 20, desk.box.y + 8});
  desk.frame();
  REQUIRE(desk.keys.text_input_active());

  desk.io.press_key(Key::D);
  desk.io.press_key(Key::Left);
  desk.io.press_key(Key::F5);
  desk.io.type("a");
  desk.io.press_key(Key::Slash);
  desk.frame();
  CHECK(!desk.keys.pressed({Key::D}));
  CHECK(!desk.keys.pressed({Key::Left}));
  CHECK(desk.keys.held(kD) == 0);
  CHECK(!desk.keys.pressed({Key::Slash}));
  CHECK(desk.keys.pressed({Key::F5}));
  CHECK(std::string(desk.text) == "a/");

  desk.io.press_key(Key::Ctrl);
  desk.io.press_key(Key::O);
  desk.io.press_key(Key::C);
  desk.frame();
  CHECK(desk.keys.pressed({Key::O, kCtrl}));
  CHECK(!desk.keys.pressed({Key::C, kCtrl}));
}

TEST_CASE("keys: punctuation is matched by the typed character, not by the physical key") {
  KeyDesk desk;
  desk.frame();
  desk.keys.on_key(Key::Shift, Key::Shift, true, desk.io.now_s());  // '/' is Shift+7 on a German keyboard
  desk.keys.on_key(Key::Digit7, Key::Digit7, true, desk.io.now_s());
  desk.io.type("/");
  desk.frame();
  CHECK(desk.keys.pressed({Key::Slash}));
  CHECK(!desk.keys.pressed({Key::Question}));
  desk.io.type("/");  // the system's key repeat
  desk.frame();
  CHECK(!desk.keys.pressed({Key::Slash}));
  CHECK(desk.keys.typed({Key::Slash}));
  desk.frame();
  CHECK(!desk.keys.typed({Key::Slash}));
}

TEST_CASE("keys: every binding of the key table can be pressed") {
  for (const Binding& wanted : bindings()) {
    for (const Chord chord : {wanted.chord, wanted.second}) {
      if (chord.key == Key::None) continue;
      CAPTURE(text(chord));
      KeyDesk desk;
      desk.frame();
      if ((chord.modifiers & kCtrl) != 0) desk.io.press_key(Key::Ctrl);
      if ((chord.modifiers & kShift) != 0) desk.io.press_key(Key::Shift);
      if ((chord.modifiers & kAlt) != 0) desk.io.press_key(Key::Alt);
      desk.io.press_key(chord.key);
      desk.frame();
      int others = 0;
      for (const Binding& other : bindings()) others += &other != &wanted && desk.keys.pressed(other);
      CHECK(desk.keys.pressed(wanted));
      CHECK(others == 0);
    }
  }
}

TEST_CASE("keys: only a short tap of Alt alone opens the menus, not Alt held or used for something else") {
  KeyDesk desk;
  const auto opens = [&](int frames, bool mouse_leaves) {
    desk.io.press_key(Key::Alt);
    for (int i = 0; i < frames; ++i) {
      desk.frame();
      CHECK(!desk.keys.alt_tapped());
    }
    if (mouse_leaves) desk.keys.alt_is_used();
    desk.io.release_key(Key::Alt);
    desk.frame();
    const bool opened = desk.keys.alt_tapped();
    desk.frame();
    CHECK(!desk.keys.alt_tapped());
    return opened;
  };
  CHECK(opens(0, false));
  CHECK(opens(10, false));
  CHECK(!opens(10, true));
  CHECK(!opens(40, false));  // two thirds of a second
  CHECK(opens(10, false));
  // The release is reported only after a slow frame.
  for (const double doubt_s : {0.3, 0.7}) {
    desk.keys.on_key(Key::Alt, Key::Alt, true, 100);
    desk.keys.on_key(Key::Alt, Key::Alt, false, 101, doubt_s);
    desk.frame();
    CHECK(desk.keys.alt_tapped() == (doubt_s > 0.5));
  }
  desk.io.press_key(Key::Alt);
  desk.io.press_key(Key::F);
  desk.frame();
  desk.io.release_key(Key::F);
  desk.io.release_key(Key::Alt);
  desk.frame();
  CHECK(!desk.keys.alt_tapped());
}

TEST_CASE("keys: no key stays down after release_all, as at loss of focus") {
  KeyDesk desk;
  desk.io.press_key(Key::W);
  desk.frame();
  desk.keys.release_all();
  desk.frame();
  CHECK(desk.keys.held(kW) == 0);
  CHECK(!desk.keys.any_held());
}

TEST_CASE("headless: frames take 1/60 s, and the mouse position arrives") {
  KeyDesk desk;
  desk.io.move_mouse({12, 34});
  desk.frame();
  const ImGuiIO& io = ImGui::GetIO();
  CHECK(io.MousePos.x == 12);
  CHECK(io.MousePos.y == 34);
  CHECK(io.DeltaTime == doctest::Approx(1 / 60.0));
  desk.frames(59);
  CHECK(desk.io.now_s() == doctest::Approx(1.0));
}
