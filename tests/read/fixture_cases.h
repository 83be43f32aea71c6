// The files and folders below tests/fixtures/READER-ID: tests that hold for every format go through all of them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/files/find_files.h"
#include "tests/support/places.h"

namespace tv::test {

struct FixtureCase {
  std::string reader;              ///< the folder's name
  std::string path;                ///< a file or a folder
  std::vector<std::string> files;  ///< the file itself, or all files in the folder

  /// "bom" for bom.json: the golden is bom.golden in the same folder.
  std::string stem() const {
    const std::string name = std::filesystem::path(path).filename().string();
    return name.substr(0, name.find('.'));
  }
  std::string golden() const { return std::filesystem::path(path).replace_filename(stem() + ".golden").string(); }
};

inline std::string fixtures_folder() { return source_dir() + "/tests/fixtures"; }

/// In alphabetical order. A new file is a new fixture.
inline std::vector<FixtureCase> fixture_cases() {
  namespace fs = std::filesystem;
  std::vector<FixtureCase> cases;
  for (const fs::directory_entry& folder : fs::directory_iterator(fixtures_folder())) {
    if (!folder.is_directory() || folder.path().filename() == "__pycache__") continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".golden") continue;
      const std::string path = entry.path().string();
      cases.push_back({folder.path().filename().string(), path, find_files({path}).files});
    }
  }
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return cases;
}

}  // namespace tv::test
