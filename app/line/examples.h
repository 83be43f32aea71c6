// The examples in --help, of the program and of most verbs. A test parses all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tv {

struct Example {
  std::string_view verb;  ///< empty: the window
  std::string_view words;  ///< the arguments after "traceview "
  std::string_view meaning;
};

const std::vector<Example>& examples();

/// The text that --help prints below the options of a verb: the examples of the verb, if any, and the exit codes. For the program
/// (""), the first example of each verb.
std::string help_footer(std::string_view verb);

}  // namespace tv
