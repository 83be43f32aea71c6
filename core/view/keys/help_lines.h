// What the help says: a line for each key of the user's table and each gesture of the mouse, by groups. Keys that do the same, each with
// its number, are one line: "1 ... 9".
#pragma once

#include <string>
#include <vector>

namespace tv {

struct HelpLine {
  std::string keys;  ///< of a heading its words
  std::string what;  ///< empty: a heading
  bool heading() const { return what.empty(); }
};

std::vector<HelpLine> help_lines();

}  // namespace tv
