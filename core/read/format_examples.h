// Names of example files, with their folders, for users who wonder whether their files can be opened. Each reader with a read
// function has an example, as a test checks.
#pragma once

#include <span>
#include <string_view>

namespace tv {

struct FormatExample {
  std::string_view reader;  ///< Reader::id
  std::string_view what;    ///< "PyTorch profiler, Chrome, JAX, Ray"
  std::string_view files;   ///< "profile/rank_0.pt.trace.json.gz"; one file per line
};

std::span<const FormatExample> format_examples();
/// How these files may be wrapped, and what else can be opened.
std::string_view wrapped_examples();
/// A folder that is opened with all its contents: one line for each entry, and the contents of folders indented.
std::string_view folder_example();

}  // namespace tv
