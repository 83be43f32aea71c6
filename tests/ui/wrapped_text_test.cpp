// Sentences on several lines: nothing is lost, no line is wider than its room, no number is torn apart.
#include "ui/widgets/text/wrapped_text.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/ui/bare_imgui.h"
#include "ui/widgets/text/text.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string without_spaces(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter != ' ' && letter != '\n') out += letter;
  }
  return out;
}

}  // namespace

TEST_CASE("wrapped_text: at any width no letter is lost, every line fits, and no number is split") {
  const OwnImGui imgui;
  ImGui::GetIO().DisplaySize = {800, 600};
  take_fonts();
  ImGui::NewFrame();
  constexpr std::string_view kSentence =
      "Request 9d407a5f of worker 3 held up step 2: it took 7.486 s (the step's median: 1.965 s), 99 % of it in the engine; "
      "1,160 tokens, 4 turns. The others waited 6.503 worker-seconds for it.";
  for (float width = 60; width < 900; width += 7) {
    CAPTURE(width);
    std::string all;
    for (const std::string_view line : wrapped_lines(kSentence, width)) {
      CHECK(text_width(line) <= width + 0.5f);
      CHECK(!line.ends_with(' '));
      all += line;
      // No line ends within a number.
      const bool torn = line.size() > 1 && (line.back() == '.' || line.back() == ',') && line[line.size() - 2] >= '0' && line[line.size() - 2] <= '9';
      CHECK(!torn);
    }
    CHECK(without_spaces(all) == without_spaces(kSentence));
  }
  CHECK(wrapped_lines("", 100).empty());
  CHECK(wrapped_lines("one\ntwo", 1000) == std::vector<std::string_view>{"one", "two"});
  CHECK(wrapped_lines("one\n\ntwo\n", 1000) == std::vector<std::string_view>{"one", "", "two"});
  CHECK(wrapped_lines("wide", 0.5f).size() == 4);
  ImGui::EndFrame();
}
