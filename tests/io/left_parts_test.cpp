// Files left by killed writers are removed, but not those being written; a pipe in place of a settings file does not block.
#include "core/io/files/left_parts.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>

#include "core/io/files/find_files.h"
#include "core/io/written/new_file.h"
#include "core/io/written/user_file.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

TEST_CASE("left parts: names of incomplete files are recognized") {
  for (const char* const name : {"a.tvx.123-4.part", "x.1-0.part"}) CHECK(is_part_name(name));
  for (const char* const name : {"a.part", "a-4.part", ".1-2.part", "a.1-.part", "a.-2.part", "a.tvx.123-4.part.gz", "part", "a.12.part"}) {
    CHECK(!is_part_name(name));
  }
}

TEST_CASE("left parts: abandoned files are removed, and files being written and all others stay") {
  const TempDir folder;
  const auto old = [&](const std::string& name) {
    const std::string path = folder.write(name, "half");
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(1));
    return path;
  };
  const std::string left = old("a.tvx.99999-0.part"), other = old("b.part"), file = old("c.tvx");
  const std::string now = folder.write("d.tvx.99999-1.part", "half");
  auto writer = NewFile::create(folder.path("e.tvx"));
  REQUIRE(writer.ok());
  REQUIRE(writer->append("text").ok());
  for (const auto& entry : fs::directory_iterator(folder.path("."))) {
    if (entry.path().filename().string().starts_with("e.tvx")) fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  // Incomplete files are never listed.
  CHECK(find_files({folder.path(".")}).files.size() == 2);
  remove_left_parts(folder.path("."));
  CHECK(!fs::exists(left));
  CHECK(fs::exists(other));
  CHECK(fs::exists(file));
  CHECK(fs::exists(now));
  REQUIRE(writer->commit().ok());
  CHECK(read_file(folder.path("e.tvx")) == "text");
}

TEST_CASE("user file: a pipe or a link to one is an error and does not block") {
  const TempDir folder;
  const std::string pipe = folder.path("settings.json");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto written = write_user_file(pipe, "{}");
  REQUIRE(!written.ok());
  CHECK(written.error().message == "is not a file");
  fs::create_symlink(pipe, folder.path("link.json"));
  CHECK(!write_user_file(folder.path("link.json"), "{}").ok());
  CHECK(!read_user_file(pipe).ok());
  CHECK(fs::is_fifo(pipe));
  fs::create_symlink("/dev/null", folder.path("nothing.json"));
  CHECK(write_user_file(folder.path("nothing.json"), "{}").ok());
}
