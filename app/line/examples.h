// The examples below --help: each verb has its own. A test parses all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tv {

struct Example {
  std::string_view verb;  ///< empty: the window
  std::string_view words;  ///< after "traceview "
  std::string_view meaning;
};

const std::vector<Example>& examples();

/// What stands below the options of a verb: its examples, if it has any, and the exit codes. Of the program (""): one of each verb.
std::string help_footer(std::string_view verb);

}  // namespace tv
