// Texts in less room than they need: for any room, scale and text, nothing crashes, nothing is drawn beyond the room, and no
// letter is cut in two. The room goes up to 400 pixels and below zero, because edges can be dragged and settings can be anything.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/text/utf8.h"
#include "core/view/words/chart_text.h"
#include "tests/ui/bare_imgui.h"
#include "ui/panels/lanes/lane_title.h"
#include "ui/widgets/chart_draw.h"
#include "ui/widgets/text/fonts.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/text/text.h"
#include "ui/widgets/text/wrapped_text.h"

using namespace tv;
using namespace tv::test;

namespace {

std::vector<std::string> odd_texts() {
  return {"", "a", "W", "GPU 0", "worker 3", " / ", "a / ", " / b", "host / rank 3 / stream 7", "node-17.cluster.example / rank 1023",
          "a_path_of_one_word_that_is_longer_than_any_room_there_is_for_it_in_a_column_of_names / x",
          "x / a_part_at_the_end_that_is_longer_than_any_room_there_is_for_it_in_a_column_of_names_and_then_some_more",
          "\u6f22\u5b57", "\u6f22\u5b57 / \u3072\u3089\u304c\u306a", "\U0001f44d\u0301 / \u202e", "two\nlines / of", "\n", "\xff\xfe broken",
          "1,234.567 s", std::string(500, '/'), "a / " + std::string(300, 'b')};
}

// What `draw` draws at the origin.
template <class Draw>
std::vector<DrawnShape> shapes_of(const Draw& draw) {
  std::vector<DrawnShape> shapes;
  const DrawingRecord record(shapes);
  draw(*ImGui::GetForegroundDrawList(), ImVec2{0, 0});
  return shapes;
}

void check_room(const std::vector<DrawnShape>& shapes, float room) {
  for (const DrawnShape& shape : shapes) {
    CHECK(shape.x1 <= room + 1.5f);
    CHECK(!shape.text.empty());
  }
}

}  // namespace

TEST_CASE("cut_text: no text exceeds its room, at any width up to 400 pixels and scales from 0.5 to 3") {
  const OwnImGui imgui;
  ImGui::GetIO().DisplaySize = {4000, 400};
  for (const float scale : {0.5f, 1.0f, 1.7f, 3.0f}) {
    CAPTURE(scale);
    ImGui::GetIO().FontGlobalScale = scale;
    take_fonts();
    ImGui::NewFrame();
    for (const std::string& text : odd_texts()) {
      CAPTURE(text);
      std::size_t most = 0;
      for (float room = -40; room <= 400; room += room < 40 ? 1 : 3) {
        CAPTURE(room);
        check_room(shapes_of([&](ImDrawList& list, ImVec2 at) { draw_text_fitted(list, at, room, 0xffffffff, text); }), room);
        const auto title = shapes_of([&](ImDrawList& list, ImVec2 at) { draw_lane_title(list, at, room, 0xffffffff, text); });
        check_room(title, room);
        std::size_t letters = 0;
        for (const DrawnShape& shape : title) letters += shape.text.size();
        // With enough room the whole title is drawn.
        if (room > 390 && text_width(text) < room && text.find('\n') == text.npos) CHECK(letters == text.size());
        most = std::max(most, letters);
        const bool whole = text_fits(text, room);
        if (whole && room > 0) CHECK(text_width(text.substr(0, text.find('\n'))) <= room + 0.5f);
        const std::string elided = chart_elided(text, room, ImGui::GetFontSize(), imgui_chart_measure());
        if (room >= 0) CHECK(text_width(elided) <= room + 0.5f);
        if (valid_utf8(text) == text) CHECK(valid_utf8(elided) == elided);
        std::size_t wrapped = 0;
        for (const std::string_view line : wrapped_lines(text, room)) {
          wrapped += line.size();
          if (valid_utf8(text) == text) CHECK(valid_utf8(line) == line);
        }
        CHECK(wrapped <= text.size());
        for (const std::string& line : chart_wrapped(text, room, ImGui::GetFontSize(), 3, imgui_chart_measure())) {
          if (room >= 0) CHECK(text_width(line) <= room + 0.5f);
        }
      }
      if (!text.empty() && text[0] != '\n') CHECK(most > 0);
    }
    ImGui::EndFrame();
  }
}

TEST_CASE("cut_text: a path keeps its last part, and the part before it is shortened") {
  const OwnImGui imgui;
  ImGui::GetIO().DisplaySize = {4000, 400};
  take_fonts();
  ImGui::NewFrame();
  const std::string head = "a_machine_with_a_rather_long_name_in_its_cluster", tail = " / rank 3";
  const float room = text_width(head) * 0.6f + text_width(tail);
  const auto shapes = shapes_of([&](ImDrawList& list, ImVec2 at) { draw_lane_title(list, at, room, 0xffffffff, head + tail); });
  REQUIRE(shapes.size() == 2);
  CHECK(shapes[1].text == tail);
  CHECK(shapes[0].text.find("\u2026") != std::string::npos);
  CHECK(shapes[0].text.starts_with("a_machine"));
  CHECK(shapes[0].text.ends_with("cluster"));
  ImGui::EndFrame();
}
