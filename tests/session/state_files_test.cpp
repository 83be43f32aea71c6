#include "core/session/persistence/state_files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temp_dir.h"

using namespace tv;
namespace fs = std::filesystem;

namespace {

// Views, each an hour older than the one before it.
std::vector<std::string> write_old_views(const test::TempDir& folder, std::size_t count) {
  std::vector<std::string> files;
  const fs::file_time_type now = fs::file_time_type::clock::now();
  for (std::size_t v = 0; v < count; ++v) {
    files.push_back(folder.write(std::to_string(v) + ".json", "{}"));
    fs::last_write_time(files.back(), now - std::chrono::hours(v + 1));
  }
  return files;
}

std::size_t kept_views(const std::vector<std::string>& files) {
  return static_cast<std::size_t>(std::ranges::count_if(files, [](const std::string& file) { return fs::exists(file); }));
}

}  // namespace

TEST_CASE("state files: of too many views the oldest are forgotten, but not the one that is being opened") {
  const test::TempDir folder;
  const std::vector<std::string> files = write_old_views(folder, kMostViews + 60);
  forget_old_views(folder.path(), files.back());
  CHECK(kept_views(files) == kMostViews);
  CHECK(fs::exists(files.back()));
  CHECK(fs::exists(files[kMostViews - 2]));
  CHECK_FALSE(fs::exists(files[kMostViews - 1]));
}

TEST_CASE("state files: a few views too many are kept, and a view that does not exist yet is not made") {
  const test::TempDir folder;
  const std::vector<std::string> files = write_old_views(folder, kMostViews + 40);
  forget_old_views(folder.path(), folder.path("new.json"));
  CHECK(kept_views(files) == files.size());
  CHECK_FALSE(fs::exists(folder.path("new.json")));
  forget_old_views("", "");
}
