#include "tests/support/places.h"

#include <algorithm>
#include <filesystem>

namespace tv::test {

std::string source_dir() { return TV_SOURCE_DIR; }
std::string shared_dir() { return TV_SHARED_DIR; }

std::vector<std::string> fixture_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() + "/tests/fixtures")) {
    const std::string ending = entry.path().extension().string();
    if (entry.is_regular_file() && ending != ".golden" && ending != ".py") files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace tv::test
