// The regular files below given paths (given_path.h): folders recursively, hidden files and folders left out, in natural
// order.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace tv {

struct FoundFiles {
  std::vector<std::string> files;
  std::vector<Error> problems;  ///< paths that do not exist or cannot be entered
};

FoundFiles find_files(const std::vector<std::string>& paths);

}  // namespace tv
