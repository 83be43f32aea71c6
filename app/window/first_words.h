// What is wrong with the files that a command line names, before anything is asked of a display.
#pragma once

#include <string>

#include "app/line/options.h"

namespace tv {

/// What to say of paths that cannot be opened, a line each; `fatal`: there is nothing to open then, or a verb was meant.
struct FirstWords {
  std::string text;
  bool fatal = false;
};
FirstWords first_words(const Options& options);

/// A name that no file has yet: the path, or with -2, -3 and so on before its ending.
std::string free_path(const std::string& path);

}  // namespace tv
