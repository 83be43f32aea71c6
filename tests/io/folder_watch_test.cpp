#include "core/io/files/folder_watch.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <future>

#include "tests/support/temp_dir.h"

namespace tv {
namespace {

constexpr auto kLongest = std::chrono::seconds(60);

}  // namespace

TEST_CASE("folder watch: a written, replaced or removed file is reported, and existing files are not") {
  const test::TempDir folder;
  folder.write("settings.toml", "a = 1");
  for (const char* const how : {"written", "replaced", "removed"}) {
    INFO(how);
    std::promise<void> told;
    std::atomic<bool> first = true;
    FolderWatch watch({folder.path(""), folder.path("is not there"), ""}, [&] {
      if (first.exchange(false)) told.set_value();
    });
    CHECK_FALSE(watch.take());
    const std::string path = folder.path("settings.toml");
    if (std::string_view(how) == "written") folder.write("settings.toml", "a = 2");
    if (std::string_view(how) == "replaced") std::filesystem::rename(folder.write("new", "a = 3"), path);
    if (std::string_view(how) == "removed") std::filesystem::remove(path);
    REQUIRE(told.get_future().wait_for(kLongest) == std::future_status::ready);
    CHECK(watch.take());
  }
}

TEST_CASE("folder watch: without a folder to watch nothing is reported") {
  FolderWatch nothing({}, {});
  FolderWatch nowhere({"/no/such/folder"}, {});
  CHECK_FALSE(nothing.take());
  CHECK_FALSE(nowhere.take());
}

}  // namespace tv
