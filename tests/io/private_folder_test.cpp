#include "core/io/written/private_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temp_dir.h"

namespace tv {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

fs::perms mode_of(const std::string& path) { return fs::status(path).permissions() & fs::perms::all; }

TEST_CASE("private folder: missing parent folders are made private too") {
  const TempDir temp;
  const std::string above = temp.path() + "/cache/traceview";
  CHECK(make_private_folder(above + "/nsys").ok());
  CHECK(mode_of(above + "/nsys") == fs::perms::owner_all);
  CHECK(mode_of(above) == fs::perms::owner_all);
  CHECK(mode_of(temp.path() + "/cache") == fs::perms::owner_all);
}

TEST_CASE("private folder: a folder open to others becomes private, and a shared one stays shared") {
  const TempDir temp;
  const std::string open = temp.path() + "/open", shared = temp.path() + "/shared";
  fs::create_directory(open);
  fs::permissions(open, static_cast<fs::perms>(0755));
  CHECK(make_private_folder(open).ok());
  CHECK(mode_of(open) == fs::perms::owner_all);
  fs::create_directory(shared);
  fs::permissions(shared, static_cast<fs::perms>(01777));
  CHECK(make_private_folder(shared).ok());
  CHECK((mode_of(shared) & fs::perms::others_write) != fs::perms::none);
}

TEST_CASE("private folder: a file in its place is named in the error") {
  const TempDir temp;
  const std::string file = temp.path() + "/file";
  std::ofstream(file) << "x";
  const auto made = make_private_folder(file);
  REQUIRE_FALSE(made.ok());
  CHECK(made.error().text().find(file) != std::string::npos);
  CHECK_FALSE(make_private_folder(file + "/below").ok());
}

}  // namespace
}  // namespace tv
