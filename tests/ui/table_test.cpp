// The table widget as a person uses it: heads, columns, rows, keys, menus; and what a frame costs.
#include <doctest/doctest.h>

#include <string>

#include "tests/ui/bare_imgui.h"
#include "tests/ui/drawn_letters.h"
#include "ui/widgets/input/headless_io.h"
#include "ui/widgets/table/table.h"
#include "ui/widgets/table/table_widths.h"
#include "ui/widgets/text/fonts.h"

using namespace tv;
using namespace tv::test;

namespace {

struct CountingTable : TableModel {
  std::vector<TableColumn> heads = {{"name", "name", {}, ColumnKind::Text},
                                    {"count", "count", "How many", ColumnKind::Number},
                                    {"time", "time", {}, ColumnKind::Time, "ns"}};
  std::size_t many = 1000;
  mutable std::size_t asked = 0;

  std::span<const TableColumn> columns() const override { return heads; }
  std::size_t rows() const override { return many; }
  void text(std::size_t row, std::size_t column, std::string& out) const override {
    ++asked;
    out = column == 0 ? (row == 3 ? "a name that is far longer than the column it stands in, so that it is cut"
                                  : "row " + std::to_string(row))
                      : std::to_string(static_cast<long long>(number(row, column)));
  }
  double number(std::size_t row, std::size_t column) const override {
    return column == 0 ? std::numeric_limits<double>::quiet_NaN()
                       : static_cast<double>(column == 1 ? row % 10 : row * 7);
  }
  TableTarget target(std::size_t row) const override { return slice_row(static_cast<SliceId>(row)); }
};

struct TableBench {
  TableBench() : theme(make_theme(ThemeKind::Dark, 1)), io(keys, {700, 400}) {
    fonts.set_size(14.5f, 1);
    fonts.build();
    take_fonts();
    apply_style(theme);
    frames(3);
  }
  TableAction frame() {
    io.new_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({700, 400});
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    TableAction action = table.draw("t", model, version, keys, theme, look);
    ImGui::End();
    ImGui::Render();
    if (action.copy) copied = *action.copy;
    if (action.save) saved = *action.save;
    if (action.go) went = action.go;
    if (action.chosen) chosen = action.chosen;
    return action;
  }
  void frames(int n) {
    for (; n > 0; --n) frame();
  }
  ImVec2 place(std::string_view what) {
    const auto at = table.place_of(what);
    REQUIRE_MESSAGE(at, std::string(what));
    return *at;
  }
  void click(std::string_view what, ImGuiMouseButton button = 0) {
    io.move_mouse(place(what));
    frames(2);
    io.press_mouse(button);
    frame();
    io.release_mouse(button);
    frames(2);
    frames(30);  // not a double click with the next
  }
  void press(Key key, std::initializer_list<Key> with = {}) {
    for (const Key one : with) io.press_key(one);
    io.press_key(key);
    frame();
    io.release_key(key);
    for (const Key one : with) io.release_key(one);
    frame();
  }
  std::uint32_t first() const { return table.rows().shown().front(); }

  test::OwnImGui imgui;
  Keys keys;
  Fonts fonts;
  Theme theme;
  HeadlessIo io;
  CountingTable model;
  std::uint64_t version = 1;
  Table table;
  TableLook look;
  std::string copied;
  TableAction::File saved;
  std::optional<std::size_t> went, chosen;
};

}  // namespace

TEST_CASE("table: a click on a head sorts the rows, with Shift by a second column") {
  TableBench bench;
  bench.click("count");
  CHECK(bench.table.state().sort == std::vector<TableSort>{{"count", true}});
  CHECK(bench.first() == 9);
  bench.click("count");
  CHECK(bench.first() == 0);
  bench.io.press_key(Key::Shift);
  bench.frame();
  bench.click("time");
  bench.io.release_key(Key::Shift);
  bench.frame();
  CHECK(bench.table.state().sort.size() == 2);
  CHECK(bench.first() == 990);  // of those that end in 0
}

TEST_CASE("table: columns can be moved, resized, hidden and reset") {
  TableBench bench;
  const ImVec2 count = bench.place("count"), time = bench.place("time");
  REQUIRE(count.x < time.x);
  bench.io.move_mouse(count);
  bench.frames(2);
  bench.io.press_mouse(0);
  bench.frame();
  for (int step = 1; step <= 8; ++step) {
    bench.io.move_mouse({count.x + (time.x + 12 - count.x) * static_cast<float>(step) / 8, count.y});
    bench.frame();
  }
  bench.io.release_mouse(0);
  bench.frames(2);
  CHECK(bench.place("count").x > bench.place("time").x);
  CHECK(bench.table.state().sort.empty());  // a drag is no click
  CHECK(bench.table.state().columns.at(2).id == "count");

  const ImVec2 edge = bench.place("edge time");
  const float before = bench.place("count").x;
  bench.io.move_mouse(edge);
  bench.frames(2);
  bench.io.press_mouse(0);
  bench.frame();
  for (int step = 1; step <= 4; ++step) {
    bench.io.move_mouse({edge.x + 15.0f * static_cast<float>(step), edge.y});
    bench.frame();
  }
  bench.io.release_mouse(0);
  bench.frames(3);
  CHECK(bench.place("count").x > before + 30);
  CHECK(bench.table.state().columns.at(1).width > 0);

  bench.click("columns");
  bench.click("item time");
  CHECK(bench.table.state().columns.at(1).hidden);
  CHECK(!bench.table.place_of("time"));
  bench.click("columns");
  bench.click("item Reset columns");
  CHECK(bench.table.state().columns.empty());
  CHECK(bench.place("count").x < bench.place("time").x);
}

TEST_CASE("table: an empty column stands last until it gets its first values") {
  TableBench bench;
  bench.model.heads[1].empty = true;
  ++bench.version;
  bench.frames(3);
  CHECK(bench.place("count").x > bench.place("time").x);
  bench.model.heads[1].empty = false;
  ++bench.version;
  bench.frames(3);
  CHECK(bench.place("count").x < bench.place("time").x);
}

TEST_CASE("table: rows are selected with mouse and keys, and the keys then belong to the table alone") {
  TableBench bench;
  bench.click("row 2");
  CHECK(bench.chosen == 2);
  CHECK(bench.table.has_keyboard());
  bench.press(Key::Down);
  CHECK(bench.chosen == 3);
  bench.press(Key::Down, {Key::Shift});
  CHECK(bench.chosen == 3);  // a selection of several rows chooses none
  CHECK(bench.table.selection().count() == 2);
  bench.press(Key::End);
  CHECK(bench.chosen == 999);
  bench.frames(2);
  bench.press(Key::PageUp);
  CHECK(*bench.chosen < 999);
  CHECK(*bench.chosen > 900);
  bench.press(Key::Home);
  CHECK(bench.chosen == 0);
  bench.press(Key::Enter);
  CHECK(bench.went == 0);
  CHECK(!bench.keys.pressed({Key::Enter, kNoModifier}));
  bench.press(Key::C, {Key::Ctrl});
  CHECK(bench.copied == "name\tcount\ttime (ns)\nrow 0\t0\t0\n");
  bench.press(Key::A, {Key::Ctrl});
  CHECK(bench.table.selection().count() == 1000);
  bench.io.press_key(Key::Down);  // belongs to the table
  bench.io.new_frame();
  CHECK(!bench.keys.pressed({Key::Down, kNoModifier}));
  CHECK(bench.keys.typed_in_table({Key::Down, kNoModifier}));
  ImGui::Render();
  bench.io.release_key(Key::Down);
  bench.press(Key::Escape);
  CHECK(!bench.table.has_keyboard());
  bench.frames(2);
  bench.io.press_key(Key::Down);
  bench.io.new_frame();
  CHECK(bench.keys.pressed({Key::Down, kNoModifier}));  // available to all again
  ImGui::Render();
}

TEST_CASE("table: the filter box hides rows, and the menu copies and saves the remaining ones") {
  TableBench bench;
  bench.click("filter");
  bench.io.type("\"row 99\" count>=8 time>700ns");
  bench.frames(3);
  CHECK(bench.table.rows().shown().size() == 2);  // 998, 999
  bench.click("row 0", 1);
  bench.click("item Save as JSON");
  CHECK(bench.saved.name == "table.json");
  CHECK(bench.saved.text == "[\n {\"name\": \"row 998\", \"count\": 8, \"time\": 6986}\n]\n");
  bench.click("row 1", 1);
  bench.click("item Copy as CSV");
  CHECK(bench.copied == "name,count,time (ns)\r\nrow 999,9,6993\r\n");
}

TEST_CASE("table: the row of an item selected elsewhere is scrolled into view") {
  TableBench bench;
  bench.look.lit = slice_row(static_cast<SliceId>(700));
  bench.model.asked = 0;
  bench.frames(2);
  bench.click("row 5");
  REQUIRE(bench.chosen);
  CHECK(*bench.chosen > 680);
  CHECK(*bench.chosen < 720);
}

TEST_CASE("table: of a million rows only the visible ones are formatted and drawn") {
  TableBench bench;
  bench.model.many = 1'000'000;
  bench.frames(3);
  bench.model.asked = 0;
  bench.frame();
  CHECK(bench.model.asked < 200);
  CHECK(ImGui::GetDrawData()->TotalVtxCount < 20'000);
  bench.io.move_mouse(bench.place("row 4"));
  bench.frames(2);
  bench.io.turn_wheel(-50);
  bench.model.asked = 0;
  bench.frames(2);
  CHECK(bench.model.asked < 400);
}

TEST_CASE("table: a cut name, and no other, has a tooltip with all its letters") {
  TableBench bench;
  bench.table.state().columns = {{"name", false, 6}};
  bench.frames(3);
  const auto letters_of_tooltip = [&](const char* row) {
    bench.io.move_mouse({20, bench.place(row).y});
    bench.frames(3);
    return drawn_letters("##Tooltip").count;
  };
  std::string name;
  bench.model.text(3, 0, name);
  CHECK(letters_of_tooltip("row 2") == 0);
  CHECK(letters_of_tooltip("row 3") == letters_of(name));
  CHECK(letters_of_tooltip("row 4") == 0);
}

TEST_CASE("table: no number is cut at the edge of the table, where it would look like another number") {
  TableBench bench;
  const auto cut_letters = [&] {
    const float rows_begin = bench.place("row 0").y - ImGui::GetFontSize();
    std::size_t cut = 0;
    const ImDrawData* const data = ImGui::GetDrawData();
    for (int l = 0; l < data->CmdListsCount; ++l) {
      const ImDrawList& list = *data->CmdLists[l];
      for (const ImDrawCmd& command : list.CmdBuffer) {
        for (unsigned i = command.IdxOffset; i + 6 <= command.IdxOffset + command.ElemCount; ++i) {
          const auto vertex = [&](unsigned n) { return list.VtxBuffer[static_cast<int>(list.IdxBuffer[static_cast<int>(i + n)])]; };
          const ImDrawVert low = vertex(0), high = vertex(2);  // of a letter, as ImGui writes it
          const bool letter = list.IdxBuffer[static_cast<int>(i)] == list.IdxBuffer[static_cast<int>(i + 3)] && low.uv.x < high.uv.x && low.uv.y < high.uv.y;
          if (letter && low.pos.y > rows_begin && low.pos.x < command.ClipRect.z && high.pos.x > command.ClipRect.z + 1) ++cut;
        }
      }
    }
    return cut;
  };
  for (int i = 0; i < 12; ++i) bench.model.heads.push_back({"n" + std::to_string(i), "numbers", {}, ColumnKind::Number});
  for (float room = 420; room < 520; room += 7) {
    CAPTURE(room);
    bench.look.size.x = room;
    bench.frames(3);
    CHECK(cut_letters() == 0);
  }
}

TEST_CASE("table: the name column stays readable next to many numbers, and buttons fit whole") {
  TableBench bench;
  for (int i = 0; i < 12; ++i) bench.model.heads.push_back({"n" + std::to_string(i), "a head of numbers", {}, ColumnKind::Number});
  std::vector<ShownColumn> shown = shown_columns(bench.model.heads, {});
  const std::uint32_t rows[] = {3};
  std::vector<float> widths = fitted_widths(bench.model, shown, rows, 700);
  CHECK(widths[0] >= 700 * 0.35f);
  // In half a narrow drawer numbers are visible, too.
  widths = fitted_widths(bench.model, shown, rows, 300);
  CHECK(widths[0] <= 300 * 0.4f + 1);

  bench.model.heads = {{"name", "name", {}, ColumnKind::Text}};
  shown = shown_columns(bench.model.heads, {});
  const float plain = fitted_widths(bench.model, shown, rows, 2000)[0];
  bench.model.heads[0].button = true;
  CHECK(fitted_widths(bench.model, shown, rows, 2000)[0] >= plain + 2 * ImGui::GetStyle().FramePadding.x);
}
