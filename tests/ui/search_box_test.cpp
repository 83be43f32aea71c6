// The search of the top bar, used with the mouse.
#include <doctest/doctest.h>

#include "tests/session/desk.h"
#include "tests/ui/bare_imgui.h"
#include "ui/panels/search_box.h"
#include "ui/widgets/input/headless_io.h"

using namespace tv;
using namespace tv::test;

namespace {

// The box alone in a window, its first button at kSearchAt.
const ImVec2 kSearchAt{20, 30};

struct SearchBench {
  SearchBench() : io(keys, {900, 200}) {
    fonts.build();
    take_fonts();
    apply_style(theme);
    frame();
    frame();
  }
  void frame() {
    io.new_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({900, 200});
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    ImGui::SetCursorScreenPos(kSearchAt);
    box.draw({desk.ws, commands, keys, theme, fonts, backdrop, 0, 0}, 260);
    ImGui::End();
    ImGui::Render();
    for (const Command& command : commands.take()) desk.ws.apply(command);
    desk.frame();
  }
  void click(ImVec2 at) {
    io.move_mouse(at);
    for (int i = 0; i < 3; ++i) frame();  // once it is open, the text takes the keyboard in the frames that follow
    io.press_mouse(ImGuiMouseButton_Left);
    frame();
    io.release_mouse(ImGuiMouseButton_Left);
    frame();
  }

  test::OwnImGui imgui;
  TestDesk desk;
  CommandQueue commands;
  Keys keys;
  Fonts fonts;
  Theme theme = make_theme(ThemeKind::Dark, 1);
  Backdrop backdrop;
  HeadlessIo io;
  SearchBox box;
};

}  // namespace

TEST_CASE("search_box: the first button switches between names and records") {
  const TempDir folder;
  SearchBench bench;
  bench.desk.open({steps(folder)});
  REQUIRE(!bench.desk.ws.search().asked().in_records);
  for (const bool in_records : {true, false, true}) {
    bench.click({kSearchAt.x + 10, kSearchAt.y + 8});
    CHECK(bench.desk.ws.state().boxes.search);
    CHECK(bench.desk.ws.search().asked().in_records == in_records);
  }
}
