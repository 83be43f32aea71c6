// Example files of each format, with their folders, for users who wonder whether their files can be opened. There is one for each
// reader with a read function; a test checks that.
#pragma once

#include <span>
#include <string_view>

namespace tv {

struct FormatExample {
  std::string_view reader;  ///< id of the registry
  std::string_view what;    ///< "PyTorch profiler, Chrome, JAX, Ray"
  std::string_view files;   ///< "profile/rank_0.pt.trace.json.gz"; one file per line
};

std::span<const FormatExample> format_examples();
/// How files of any format may be wrapped.
std::string_view wrapped_examples();
/// A folder that is opened as a whole: one line for each entry, with its contents indented.
std::string_view folder_example();

}  // namespace tv
