// Checks the files on the command line before the display is used.
#pragma once

#include <string>

#include "app/line/options.h"

namespace tv {

/// Messages about paths that cannot be opened, one per line. `fatal`: nothing can be opened, or a missing first path looks like a
/// mistyped verb.
struct StartMessages {
  std::string text;
  bool fatal = false;
};
StartMessages start_messages(const Options& options);

/// A path at which nothing exists: `path` itself, else with -2, -3, ... before the extension.
std::string free_path(const std::string& path);

}  // namespace tv
