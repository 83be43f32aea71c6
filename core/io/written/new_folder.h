// A folder for files of which all or none are written. On failure, the folders that had to be created are removed again.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/io/written/unfinished.h"

namespace tv {

class NewFolder {
 public:
  /// Creates the folder and the missing folders above it. Existing folders are used as they are.
  static Result<NewFolder> create(const std::string& path);
  NewFolder(NewFolder&&) noexcept = default;
  NewFolder& operator=(NewFolder&&) = delete;
  /// Removes the created folders that are still empty, unless keep() was called.
  ~NewFolder();
  void keep();

 private:
  struct Made {
    std::string path;
    Unfinished unfinished;
  };
  NewFolder() = default;
  std::vector<Made> made_;  // outermost first
};

}  // namespace tv
