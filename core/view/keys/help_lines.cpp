#include "core/view/keys/help_lines.h"

#include <algorithm>
#include <string_view>

#include "core/view/keys/keymap.h"

namespace tv {
namespace {

std::string without_numbers(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(out, [](char c) { return c >= '1' && c <= '9'; }, 'n');
  return out;
}

}  // namespace

std::vector<HelpLine> help_lines() {
  std::vector<HelpLine> lines;
  std::string_view group;
  const auto add = [&](std::string keys, std::string_view what, std::string_view of_group) {
    if (of_group != group) lines.push_back({std::string(group = of_group), {}});
    // Keys that differ only in their number share one line: 1 ... 9.
    const std::string numbered = without_numbers(what);
    if (numbered != what && !lines.empty() && without_numbers(lines.back().what) == numbered) {
      lines.back().what = numbered;
      lines.back().keys = lines.back().keys.substr(0, lines.back().keys.find(' ')) + " ... " + keys;
      return;
    }
    lines.push_back({std::move(keys), std::string(what)});
  };
  for (const Binding& binding : bindings()) {
    std::string keys = text(binding.chord);
    if (const std::string second = text(binding.second); !second.empty()) keys += "  " + second;
    if (keys.empty()) continue;  // in menus and the command box only
    add(std::move(keys), binding.title, binding.group);
  }
  for (const Gesture& gesture : gestures()) add(std::string(gesture.gesture), gesture.title, gesture.group);
  return lines;
}

}  // namespace tv
