// No text in the help, the import report and the top bar is cut. The test counts letters in ImGui's output to the renderer that
// are missing, or cross the edge of the visible part.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/view/keys/help_lines.h"
#include "tests/session/desk.h"
#include "tests/ui/bare_imgui.h"
#include "tests/ui/drawn_letters.h"
#include "ui/panels/lanes/menu_items.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/tables/hits_panel.h"
#include "ui/widgets/input/headless_io.h"
#include "ui/widgets/text/shapes.h"

using namespace tv;
using namespace tv::test;

namespace {

struct PanelBench {
  explicit PanelBench(ImVec2 size, float scale = 1) : theme(make_theme(ThemeKind::Dark, scale)), io(keys, size) {
    fonts.set_size(14.5f, scale);
    fonts.build();
    take_fonts();
    apply_style(theme);
  }
  PanelContext context() { return {desk.ws, commands, keys, theme, fonts, backdrop, 0, 0}; }
  template <class Draw>
  DrawnLetters draw(const Draw& what) {
    for (int i = 0; i < 3; ++i) {  // a window knows its content from the second frame on
      io.new_frame();
      what(context());
      ImGui::Render();
    }
    return drawn_letters();
  }

  test::OwnImGui imgui;
  TestDesk desk;
  CommandQueue commands;
  Keys keys;
  Fonts fonts;
  Theme theme;
  Backdrop backdrop;
  HeadlessIo io;
};

// All texts that `draw` gives to ImGui's widgets, whether their letters are then visible or not, and those that it draws with
// draw_text(), which are already shortened to their room.
template <class Draw>
std::string asked_texts(const Draw& draw) {
  std::vector<DrawnShape> shapes;
  const DrawingRecord record(shapes);
  ImGui::LogToClipboard();
  draw();
  ImGui::LogFinish();
  std::string texts = ImGui::GetClipboardText();
  // Brackets are around widgets, and returns in labels (label.h).
  std::erase_if(texts, [](char c) { return std::string_view("[]{}\n\r").find(c) != std::string_view::npos; });
  for (const DrawnShape& shape : shapes) texts += shape.text;
  return texts;
}

struct NoPanel : SidePanel {
  void draw(const PanelContext&) override {}
};

template <class Draw>
void in_window(ImVec2 size, const Draw& draw) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
  draw();
  ImGui::End();
}

}  // namespace

TEST_CASE("uncut_text: every letter of the help is drawn uncut, however wide the window is") {
  std::size_t expected = letters_of("Keys and mouse");
  for (const HelpLine& line : help_lines()) expected += letters_of(line.keys) + letters_of(line.what);
  struct Case {
    float width, height, scale;
  };
  // The first two are whole screens: everything is visible at once.
  for (const Case& of : {Case{1366, 768, 1}, Case{2560, 1440, 1}, Case{2560, 3000, 2}, Case{640, 6000, 1}}) {
    CAPTURE(of.width);
    PanelBench bench({of.width, of.height}, of.scale);
    const DrawnLetters drawn = bench.draw([&](const PanelContext& context) {
      draw_help(context, {0, 0, of.width, of.height});
    });
    CHECK(drawn.count == expected);
    CHECK(drawn.cut == 0);
  }
}

TEST_CASE("uncut_text: the import report wraps") {
  const TempDir folder;
  const std::string broken =
      folder.write("a_file_with_a_rather_long_name_that_says_what_was_measured.json",
                   R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2},{"ph":"X","name":"b","ts":"x"}])");
  const std::string other = folder.write("notes.txt", "nothing");
  DrawnLetters wide, narrow;
  for (const bool is_narrow : {false, true}) {
    const ImVec2 size{is_narrow ? 330.0f : 2400.0f, 2000};
    PanelBench bench(size);
    bench.desk.open({broken, other});
    ProblemsPanel panel(bench.desk.ws, [] {});
    const auto draw = [&] { return bench.draw([&](const PanelContext& context) { in_window(size, [&] { panel.draw(context); }); }); };
    do draw();
    while (panel.busy());  // it counts the lines of the examples
    (is_narrow ? narrow : wide) = draw();
  }
  CHECK(wide.count > 100);
  CHECK(narrow.count == wide.count);
  CHECK(narrow.cut == 0);
}

TEST_CASE("uncut_text: no text of the top bar with search hits is cut, however narrow the window is") {
  const TempDir folder;
  const std::string file = folder.write("trace.json", R"([{"ph":"X","name":"gemm","cat":"kernel","pid":1,"tid":1,"ts":1,"dur":2}])");
  for (const float width : {640.0f, 820.0f, 900.0f, 960.0f, 1024.0f, 1100.0f, 1280.0f, 1366.0f}) {
    CAPTURE(width);
    PanelBench bench({width, 400});
    bench.desk.open({file});
    bench.desk.apply(command::OpenSearch{});
    bench.desk.apply(command::Search{"gemm"});
    const std::string hits = bench.desk.ws.search().said();
    REQUIRE(!bench.desk.ws.search().hits().empty());
    REQUIRE(!hits.empty());
    TopBar bar;
    std::string asked;
    const DrawnLetters drawn = bench.draw([&](const PanelContext& context) {
      asked = asked_texts([&] { bar.draw(context, {0, 0, width, 38}); });
    });
    CAPTURE(asked);
    for (const std::string_view part : {"Names", "Aa", ".*"}) CHECK(asked.find(part) != std::string::npos);
    CHECK(asked.find(hits) != std::string::npos);
    CHECK(drawn.count == letters_of(asked));
    CHECK(drawn.cut == 0);
  }
}

TEST_CASE("uncut_text: Details show names and keys with ## whole, and cut a long value between two characters") {
  const TempDir folder;
  std::string value;
  for (int i = 0; i < 150; ++i) value += "\u5b57";  // of 3 bytes each
  const std::string outer = R"({"ph":"X","name":"## Call CompiledFxGraph f3x ##","pid":1,"tid":1,"ts":1,"dur":9})";
  const std::string args = R"("k##2":{"k###3":1},"args":{"k##1":1,"long":")" + value + R"("})";
  const std::string file = folder.write(
      "trace.json", "[" + outer + R"(,{"ph":"X","name":"in##ner","pid":1,"tid":1,"ts":2,"dur":2,)" + args + "}]");
  const ImVec2 size{2400, 2000};
  PanelBench bench(size);
  bench.desk.open({file});
  const SliceId inner = slice_named(bench.desk.ws.trace(), "in##ner");
  REQUIRE(inner != kNone<SliceId>);
  bench.desk.apply(command::SelectSlice{inner, false});
  wait_until([&] { return bench.desk.ws.session().args(bench.desk.ws.snapshot(), inner).tree != nullptr; });
  NoPanel statistics, findings;
  DetailsPanel panel(statistics, findings);
  std::string asked;
  bench.draw([&](const PanelContext& context) { asked = asked_texts([&] { in_window(size, [&] { panel.draw(context); }); }); });
  CAPTURE(asked);
  for (const std::string_view part : {"## Call CompiledFxGraph f3x ##  (", "k##1", "k##2", "k###3"}) {
    CAPTURE(part);
    CHECK(asked.find(part) != std::string::npos);
  }
  CHECK(asked.find(value.substr(0, 399) + " ...") != std::string::npos);
  CHECK(asked.find(value.substr(0, 402)) == std::string::npos);
}

TEST_CASE("uncut_text: gaps, hits and menus show names with ## whole") {
  const TempDir folder;
  const std::string file = folder.write(
      "trace.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":9},)"
                    R"({"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"lane##1"}}])");
  const ImVec2 size{2400, 1000};
  PanelBench bench(size);
  bench.desk.open({file});
  bench.desk.apply(command::OpenSearch{});
  bench.desk.apply(command::Search{"lane##1"});
  std::string asked;
  const auto ask = [&](const auto& what) {
    bench.draw([&](const PanelContext& context) { asked = asked_texts([&] { in_window(size, [&] { what(context); }); }); });
  };
  HitsPanel hits;
  wait_until([&] {
    ask([&](const PanelContext& context) { hits.draw(context); });
    return asked.find("also: ") != std::string::npos;
  });
  CHECK(asked.find("lane##1") != std::string::npos);
  GapDetails gap;
  gap.before.name = "## before ##";
  gap.after.name = "af##ter";
  ask([&](const PanelContext& context) { draw_gap_details(context, gap); });
  CHECK(asked.find("## before ##") != std::string::npos);
  CHECK(asked.find("af##ter") != std::string::npos);
  MenuItems items;
  ask([&](const PanelContext&) { items.item("Close a##b.json"); });
  CHECK(asked.find("Close a##b.json") != std::string::npos);
}
