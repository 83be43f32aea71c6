#include "core/view/keys/help_lines.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/view/keys/keymap.h"

using namespace tv;

TEST_CASE("help_lines: every key and gesture is listed, nine numbered keys as one line") {
  const std::vector<HelpLine> lines = help_lines();
  const auto says = [&](std::string_view keys, std::string_view what) {
    return std::ranges::any_of(lines, [&](const HelpLine& line) { return line.keys == keys && line.what == what; });
  };
  std::size_t folded = 0;
  for (const Binding& binding : bindings()) {
    std::string keys = text(binding.chord);
    if (keys.empty()) continue;
    if (const std::string second = text(binding.second); !second.empty()) keys += "  " + second;
    CAPTURE(keys);
    const std::string_view last_word = binding.title.substr(binding.title.rfind(' ') + 1);
    const bool numbered = binding.id.starts_with("view.store_") || binding.id.starts_with("view.show_") ||
                          (binding.id.starts_with("panel.") && last_word == "bar");
    folded += numbered;
    if (!numbered) CHECK(says(keys, binding.title));
  }
  CHECK(folded == 27);
  CHECK(says("Shift+1 ... Shift+9", "Store what is shown as view n"));
  CHECK(says("Ctrl+1 ... Ctrl+9", "Show view n"));
  CHECK(says("1 ... 9", "Panel n of the bar"));
  for (const Gesture& gesture : gestures()) CHECK(says(gesture.gesture, gesture.title));
}

TEST_CASE("help_lines: each heading appears once") {
  std::set<std::string> headings;
  for (const HelpLine& line : help_lines()) {
    CAPTURE(line.keys);
    if (line.heading()) CHECK(headings.insert(line.keys).second);
  }
}
