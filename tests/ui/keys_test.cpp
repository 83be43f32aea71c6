// The keyboard as panels see it, driven as a script drives it; ImGui runs without window and GL.
#include "ui/widgets/keys.h"

#include <doctest/doctest.h>

#include <string>

#include "imgui.h"
#include "ui/widgets/headless_io.h"

using namespace tv;

namespace {

struct Desk {
  Desk() {
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  ~Desk() { ImGui::DestroyContext(context); }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  /// A frame of a window that holds one text box.
  void frame() {
    io.new_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({400, 300});
    ImGui::Begin("desk");
    ImGui::InputText("box", text, sizeof text);
    box = ImGui::GetItemRectMin();
    ImGui::End();
    ImGui::Render();
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }
  void click(ImVec2 position) {
    io.move_mouse(position);
    frame();
    io.press_mouse(0);
    frame();
    io.release_mouse(0);
    frame();
  }

  ImGuiContext* context = ImGui::CreateContext();
  Keys keys;
  HeadlessIo io{keys, {400, 300}};
  char text[64] = "";
  ImVec2 box{};
};

}  // namespace

TEST_CASE("keys: pressed is true in one frame, held grows until the release") {
  Desk desk;
  desk.frame();
  CHECK(!desk.keys.pressed(Key::F));
  CHECK(!desk.keys.any_held());
  desk.io.press_key(Key::F);
  desk.frame();
  CHECK(desk.keys.pressed(Key::F));
  CHECK(desk.keys.tapped(Key::F));
  CHECK(desk.keys.held(Key::F) == doctest::Approx(1 / 60.0));
  CHECK(desk.keys.any_held());
  desk.frames(11);
  CHECK(!desk.keys.pressed(Key::F));
  CHECK(!desk.keys.tapped(Key::F));
  CHECK(desk.keys.held(Key::F) == doctest::Approx(0.2));
  desk.io.release_key(Key::F);
  desk.frame();
  CHECK(desk.keys.held(Key::F) == 0);
}

TEST_CASE("keys: a tap shorter than a frame is not lost") {
  Desk desk;
  desk.io.press_key(Key::D);
  desk.io.release_key(Key::D);
  desk.frame();
  CHECK(desk.keys.pressed(Key::D));
  CHECK(desk.keys.tapped(Key::D));
  CHECK(desk.keys.held(Key::D) > 0);
  desk.frame();
  CHECK(!desk.keys.pressed(Key::D));
  CHECK(desk.keys.held(Key::D) == 0);
}

TEST_CASE("keys: typed repeats twenty times a second after a pause") {
  Desk desk;
  desk.io.press_key(Key::Right);
  int before_pause = 0, in_a_second = 0;
  for (int i = 0; i < 17; ++i) {
    desk.frame();
    before_pause += desk.keys.typed(Key::Right);
  }
  for (int i = 0; i < 60; ++i) {
    desk.frame();
    in_a_second += desk.keys.typed(Key::Right);
  }
  CHECK(before_pause == 1);
  CHECK(in_a_second >= 19);
  CHECK(in_a_second <= 21);
}

TEST_CASE("keys: modifiers must be exactly those asked for, and stop w/a/s/d") {
  Desk desk;
  desk.io.press_key(Key::Ctrl);
  desk.io.press_key(Key::S);
  desk.frame();
  CHECK(desk.keys.pressed(Key::S, kCommand));
  CHECK(!desk.keys.pressed(Key::S));
  CHECK(!desk.keys.pressed(Key::S, kCommandShift));
  CHECK(desk.keys.held(Key::S) == 0);
  CHECK(desk.keys.mods() == kCommand);
  desk.io.release_key(Key::Ctrl);
  desk.io.press_key(Key::Shift);
  desk.frame();
  CHECK(desk.keys.held(Key::S) > 0);  // shift means faster
}

TEST_CASE("keys: place and layout differ on a French keyboard") {
  Desk desk;
  desk.keys.on_key(Key::W, Key::Z, true);
  desk.frame();
  CHECK(desk.keys.pressed(Key::Z));
  CHECK(!desk.keys.pressed(Key::W));
  CHECK(desk.keys.held(Key::W) > 0);
  CHECK(desk.keys.held(Key::Z) == 0);
}

TEST_CASE("keys: a text box keeps its keys, shortcuts pass") {
  Desk desk;
  desk.frame();
  desk.click({desk.box.x + 20, desk.box.y + 8});
  desk.frame();
  REQUIRE(desk.keys.text_input_active());

  desk.io.press_key(Key::A);
  desk.io.press_key(Key::Left);
  desk.io.press_key(Key::F5);
  desk.io.type("a/");
  desk.frame();
  CHECK(!desk.keys.pressed(Key::A));
  CHECK(!desk.keys.pressed(Key::Left));
  CHECK(desk.keys.held(Key::A) == 0);
  CHECK(!desk.keys.character('/'));
  CHECK(desk.keys.pressed(Key::F5));
  CHECK(std::string(desk.text) == "a/");

  desk.io.press_key(Key::Ctrl);
  desk.io.press_key(Key::O);
  desk.io.press_key(Key::C);
  desk.frame();
  CHECK(desk.keys.pressed(Key::O, kCommand));
  CHECK(!desk.keys.pressed(Key::C, kCommand));
}

TEST_CASE("keys: punctuation is asked for by character") {
  Desk desk;
  desk.frame();
  desk.io.type("?");
  desk.frame();
  CHECK(desk.keys.character('?'));
  CHECK(!desk.keys.character('/'));
  desk.frame();
  CHECK(!desk.keys.character('?'));
}

TEST_CASE("keys: nothing stays down when the window loses the focus") {
  Desk desk;
  desk.io.press_key(Key::W);
  desk.frame();
  desk.keys.release_all();
  desk.frame();
  CHECK(desk.keys.held(Key::W) == 0);
  CHECK(!desk.keys.any_held());
}

TEST_CASE("headless: frames are 1/60 s, mouse and wheel arrive") {
  Desk desk;
  desk.io.move_mouse({12, 34});
  desk.io.turn_wheel(2, -1);
  desk.frame();
  const ImGuiIO& io = ImGui::GetIO();
  CHECK(io.MousePos.x == 12);
  CHECK(io.MousePos.y == 34);
  CHECK(io.DeltaTime == doctest::Approx(1 / 60.0));
  desk.frames(59);
  CHECK(desk.io.now_s() == doctest::Approx(1.0));
}
