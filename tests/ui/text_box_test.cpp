// A text box that edits a std::string, driven as a script drives it; ImGui runs without window and GL.
#include "ui/widgets/text_box.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/ui/bare_imgui.h"

using namespace tv;

namespace {

struct BoxDesk : test::BareDesk {
  bool draw() override {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({400, 300});
    ImGui::Begin("desk");
    const bool returned = text_box("box", text, "", flags, on_event);
    place = ImGui::GetItemRectMin();
    ImGui::End();
    return returned;
  }
  void click_box() {
    frame();
    click({place.x + 5, place.y + 5});
  }
  bool press(Key key) {
    io.press_key(key);
    const bool returned = frame();
    io.release_key(key);
    return frame() || returned;
  }

  std::string text;
  ImGuiInputTextFlags flags = 0;
  BoxEvent on_event;
  ImVec2 place{};
};

}  // namespace

TEST_CASE("text box: a text of any length is edited, and nothing of it is cut") {
  for (const std::size_t length : {std::size_t{0}, std::size_t{15}, std::size_t{1023}, std::size_t{6000}}) {
    CAPTURE(length);
    BoxDesk desk;
    const std::string before(length, 'a');
    desk.text = before;
    desk.click_box();
    CHECK(desk.text == before);
    desk.press(Key::End);
    const std::string more = "a longer text than fits into a short string";
    desk.io.type(more);
    desk.frame();
    desk.frame();
    CHECK(desk.text == before + more);
    for (std::size_t i = 0; i < more.size(); ++i) desk.press(Key::Backspace);
    CHECK(desk.text == before);
  }
}

TEST_CASE("text box: it returns whether the text was changed, or whether Enter was pressed") {
  {
    BoxDesk desk;
    desk.click_box();
    desk.io.type("a");
    bool changed = desk.frame();
    changed |= desk.frame();
    CHECK(changed);
    CHECK_FALSE(desk.frame());
  }
  {
    BoxDesk desk;
    desk.flags = ImGuiInputTextFlags_EnterReturnsTrue;
    desk.click_box();
    desk.io.type("a");
    CHECK_FALSE(desk.frame());
    CHECK_FALSE(desk.frame());
    CHECK(desk.text == "a");
    CHECK(desk.press(Key::Enter));
  }
}

TEST_CASE("text box: an event that was asked for can change the text") {
  BoxDesk desk;
  desk.flags = ImGuiInputTextFlags_CallbackCompletion;
  desk.on_event = [](ImGuiInputTextCallbackData& data) {
    CHECK(data.EventFlag == ImGuiInputTextFlags_CallbackCompletion);
    data.InsertChars(data.BufTextLen, std::string(300, 'b').c_str());
  };
  desk.click_box();
  desk.io.type("a");
  desk.frame();
  desk.press(Key::Tab);
  CHECK(desk.text == "a" + std::string(300, 'b'));
}
