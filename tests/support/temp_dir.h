// A folder that exists for one test.
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

  /// Path of something in the folder, whether it exists or not.
  std::string path(std::string_view name = {}) const;
  /// Writes a file, creating the folders above it, and returns its path.
  std::string write(std::string_view name, std::string_view bytes) const;
  /// Appends to a file.
  void append(std::string_view name, std::string_view bytes) const;

 private:
  std::filesystem::path folder_;
};

/// All bytes of a file. Throws when it cannot be read.
std::string read_file(const std::string& path);

}  // namespace tv::test
