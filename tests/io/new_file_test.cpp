#include "core/io/written/new_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/io/written/new_folder.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

std::string written(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Result<void> write_at_once(const std::string& path, std::string_view text) { return write_whole(NewFile::create(path), text); }

std::size_t entries_in(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("new file: the file appears when it is committed, and the old one stays until then") {
  TempDir folder;
  const std::string path = folder.path("a");
  REQUIRE(write_at_once(path, "before").ok());
  {
    auto file = NewFile::create(path);
    REQUIRE(file.ok());
    REQUIRE(file->append("half").ok());
    CHECK(written(path) == "before");
    CHECK(entries_in(folder.path()) == 2);
  }
  CHECK(entries_in(folder.path()) == 1);
  CHECK(written(path) == "before");
  auto file = NewFile::create(path, 0666, NewFile::Order::Anywhere);
  REQUIRE(file.ok());
  REQUIRE(file->append("after").ok());
  REQUIRE(file->write_at(0, "A").ok());
  REQUIRE(file->close().ok());
  CHECK(written(path) == "before");
  REQUIRE(file->commit().ok());
  CHECK(written(path) == "After");
  CHECK(entries_in(folder.path()) == 1);
}

TEST_CASE("new file: links are followed to existing and to missing files") {
  TempDir folder;
  fs::create_directory(folder.path("b"));
  REQUIRE(write_at_once(folder.path("b/there"), "old").ok());
  fs::create_symlink("b/there", folder.path("one"));
  fs::create_symlink("one", folder.path("two"));
  fs::create_symlink("b/not there", folder.path("dangling"));
  fs::create_symlink("round", folder.path("round"));
  REQUIRE(write_at_once(folder.path("two"), "new").ok());
  REQUIRE(write_at_once(folder.path("dangling"), "made").ok());
  CHECK(written(folder.path("b/there")) == "new");
  CHECK(written(folder.path("b/not there")) == "made");
  for (const char* const link : {"one", "two", "dangling"}) CHECK(fs::is_symlink(folder.path(link)));
  CHECK(entries_in(folder.path("b")) == 2);
  const auto round = write_at_once(folder.path("round"), "x");
  REQUIRE_FALSE(round.ok());
  CHECK(round.error().file == folder.path("round"));
  CHECK_FALSE(write_at_once(folder.path("b"), "x").ok());
}

TEST_CASE("new file: a pipe gets the bytes in order, even if the writer goes back") {
  TempDir folder;
  const std::string path = folder.path("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  for (const auto order : {NewFile::Order::Appended, NewFile::Order::Anywhere}) {
    const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
    REQUIRE(reader >= 0);
    auto file = NewFile::create(path, 0666, order);
    REQUIRE(file.ok());
    REQUIRE(file->append("0123").ok());
    if (order == NewFile::Order::Anywhere) REQUIRE(file->write_at(0, "ab").ok());
    REQUIRE(file->commit().ok());
    std::string got(16, '\0');
    const ssize_t n = ::read(reader, got.data(), got.size());
    ::close(reader);
    REQUIRE(n == 4);
    CHECK(got.substr(0, 4) == (order == NewFile::Order::Anywhere ? "ab23" : "0123"));
    CHECK(fs::is_fifo(path));
  }
  CHECK(entries_in(folder.path()) == 1);
}

TEST_CASE("new file: an input file is recognized under all its names") {
  TempDir folder;
  const std::vector<std::string> inputs = {folder.path("gone"), folder.path("t.json")};
  REQUIRE(write_at_once(inputs[1], "[]").ok());
  fs::create_hard_link(inputs[1], folder.path("hard"));
  fs::create_symlink("t.json", folder.path("soft"));
  REQUIRE(write_at_once(folder.path("other"), "[]").ok());
  for (const char* const name : {"t.json", "hard", "soft", "./t.json"}) {
    const auto free = check_not_input(folder.path(name), inputs);
    REQUIRE_FALSE(free.ok());
    CHECK(free.error().file == folder.path(name));
    CHECK_FALSE(free.error().remedy.empty());
  }
  for (const char* const name : {"other", "new", "gone"}) CHECK(check_not_input(folder.path(name), inputs).ok());
  CHECK(check_not_input("-", inputs).ok());
}

TEST_CASE("new folder: only the folders that were created are removed, unless they are kept") {
  TempDir folder;
  fs::create_directory(folder.path("old"));
  {
    auto made = NewFolder::create(folder.path("old/a/b/"));
    REQUIRE(made.ok());
    CHECK(fs::is_directory(folder.path("old/a/b")));
  }
  CHECK(fs::is_empty(folder.path("old")));
  auto kept = NewFolder::create(folder.path("old/a/b"));
  REQUIRE(kept.ok());
  kept->keep();
  CHECK(fs::is_directory(folder.path("old/a/b")));
  REQUIRE(write_at_once(folder.path("file"), "").ok());
  CHECK_FALSE(NewFolder::create(folder.path("file/a")).ok());
}

// Runs in a child process, because the signal ends it.
TEST_CASE("new file: a signal removes incomplete files, but waits for an AllOrNone group to be complete") {
  enum class Group { None, Alone, WithAnother };  // WithAnother: a second group ends before it
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    for (const Group group : {Group::None, Group::Alone, Group::WithAnother}) {
      const bool together = group != Group::None;
      TempDir folder;
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0) {
        ::close(STDERR_FILENO);
        std::signal(signal, SIG_DFL);
        end_cleanly_on_signals();
        auto made = NewFolder::create(folder.path("new/folder"));
        auto a = NewFile::create(folder.path("new/folder/a")), b = NewFile::create(folder.path("new/folder/b"));
        if (!made || !a || !b || !a->append("a") || !b->append("b")) ::_exit(1);
        if (!together) {
          (void)std::raise(signal);
          ::_exit(2);
        }
        {
          const AllOrNone both;
          (void)std::raise(signal);
          if (group == Group::WithAnother) {
            const AllOrNone another;
          }
          if (!a->commit() || !b->commit()) ::_exit(3);
        }
        ::_exit(4);
      }
      int status = 0;
      REQUIRE(::waitpid(child, &status, 0) == child);
      REQUIRE(WIFEXITED(status));
      CHECK(WEXITSTATUS(status) == 130);
      CHECK(entries_in(folder.path()) == (together ? 1 : 0));
      if (together) CHECK(entries_in(folder.path("new/folder")) == 2);
    }
  }
}
