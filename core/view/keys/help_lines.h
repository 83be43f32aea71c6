// The lines of the help: one for each action with a key and each gesture of the mouse, by groups. Actions that differ only in a
// number share one line: "1 ... 9".
#pragma once

#include <string>
#include <vector>

namespace tv {

struct HelpLine {
  std::string keys;  ///< for a heading: its text
  std::string what;  ///< empty: a heading
  bool heading() const { return what.empty(); }
};

std::vector<HelpLine> help_lines();

}  // namespace tv
