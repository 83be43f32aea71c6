// The regular files below given paths (given_path.h): folders recursively, hidden files and folders left out, in natural
// order. View files too, unless one is given itself: they lie beside traces and are none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace tv {

inline constexpr std::string_view kViewEnding = ".tvview";  ///< of view files (session/view_file.h)

struct FoundFiles {
  std::vector<std::string> files;
  std::vector<Error> problems;  ///< paths that do not exist or cannot be entered
};

FoundFiles find_files(const std::vector<std::string>& paths);

}  // namespace tv
