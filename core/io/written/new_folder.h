// A folder for files that are there together or not at all: what of it had to be made goes again, unless all is well.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/io/written/unfinished.h"

namespace tv {

class NewFolder {
 public:
  /// With those above it. One that is there already is as good.
  static Result<NewFolder> create(const std::string& path);
  NewFolder(NewFolder&&) noexcept = default;
  NewFolder& operator=(NewFolder&&) = delete;
  /// Removes the folders that it made and that are still empty.
  ~NewFolder();
  void keep();

 private:
  struct Made {
    std::string path;
    Unfinished unfinished;
  };
  NewFolder() = default;
  std::vector<Made> made_;  // the outermost first
};

}  // namespace tv
