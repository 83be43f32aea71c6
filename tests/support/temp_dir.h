// A folder that is there for one test and gone after it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tv::test {

class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  /// Path of something in the folder, whether it is there or not.
  std::string path(std::string_view name = {}) const;
  /// Writes a file, with the folders above it, and gives its path.
  std::string write(std::string_view name, std::string_view bytes) const;
  /// Goes on with a file.
  void append(std::string_view name, std::string_view bytes) const;

 private:
  std::filesystem::path folder_;
};

/// All bytes of a file. Throws when it cannot be read.
std::string read_file(const std::string& path);

}  // namespace tv::test
