// What each format looks like on a disk, for people who wonder whether their files can be opened: an example of the files in
// their folders. One for each reader that reads something; a test checks that.
#pragma once

#include <span>
#include <string_view>

namespace tv {

struct FormatExample {
  std::string_view reader;  ///< id of the registry
  std::string_view what;    ///< "PyTorch profiler, Chrome, JAX, Ray"
  std::string_view files;   ///< "profile/rank_0.pt.trace.json.gz", lines of them
};

std::span<const FormatExample> format_examples();
/// How files may be wrapped, whatever they are.
std::string_view wrapped_examples();
/// A folder that is opened as a whole: one line for each entry, and its contents indented.
std::string_view folder_example();

}  // namespace tv
