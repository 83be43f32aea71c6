// The known states of files match the real ones, even if each refresh checks only a few files.
#include "core/io/files/file_states.h"

#include <doctest/doctest.h>

#ifdef __linux__
#include <sys/resource.h>
#endif

#include <chrono>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/io/files/find_files.h"
#include "core/io/files/folder_events.h"
#include "core/io/files/next_names.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

namespace tv {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

std::vector<std::string> paths_of(const FileStates& states) {
  std::vector<std::string> paths;
  for (const auto& [path, state] : states.files()) paths.push_back(path);
  return paths;
}

std::vector<std::string> found_in(const std::vector<std::string>& paths) {
  std::vector<std::string> files = find_files(paths).files;
  std::ranges::sort(files);
  return files;
}

}  // namespace

TEST_CASE("file states: growth, creation, removal and replacement of files are noticed") {
  const TempDir folder;
  const std::string a = folder.write("run/a.log", "one\n");
  folder.write("run/step_1/b.jsonl", "{}\n");
  folder.write("run/.hidden/c", "x");
  folder.write("run/view.tvview", "{}");
  FileStates states({folder.path("run")});
  CHECK(states.look_at_all());
  CHECK(paths_of(states) == found_in({folder.path("run")}));
  REQUIRE(states.files().size() == 2);
  CHECK(states.files().at(a).bytes == 4);
  CHECK_FALSE(states.refresh());

  folder.append("run/a.log", "two\n");
  CHECK(states.refresh());
  CHECK(states.files().at(a).bytes == 8);
  const std::uint64_t first = states.files().at(a).file;
  folder.write("run/step_2/deep/d.jsonl", "{}\n");
  CHECK(states.refresh());
  CHECK(paths_of(states) == found_in({folder.path("run")}));
  fs::rename(a, folder.path("run/a.log.1"));
  folder.write("run/a.log", "new\n");
  CHECK(states.refresh());
  CHECK(states.files().at(a).file != first);
  CHECK(states.files().at(folder.path("run/a.log.1")).file == first);
  fs::remove_all(folder.path("run/step_2"));
  CHECK(states.refresh());
  CHECK(paths_of(states) == found_in({folder.path("run")}));
  fs::remove_all(folder.path("run"));
  CHECK(states.refresh());
  CHECK(states.files().empty());
  CHECK(states.places().empty());
}

TEST_CASE("file states: a rewrite that keeps the modification time and a change of permissions are noticed") {
  const TempDir folder;
  const std::string file = folder.write("run/step_1/a.log", "one\n");
  FileStates states({folder.path("run")});
  states.look_at_all();
  CHECK_FALSE(states.refresh());
  const auto time = fs::last_write_time(file);
  folder.write("run/step_1/a.log", "two\n");
  fs::last_write_time(file, time);
  CHECK(states.refresh());
  fs::permissions(file, fs::perms::owner_read);
  CHECK(states.refresh());
  fs::permissions(folder.path("run/step_1"), fs::perms::owner_all);
  states.refresh();
  CHECK_FALSE(states.refresh());
  CHECK(paths_of(states) == found_in({folder.path("run")}));
}

TEST_CASE("file states: the contents of deleted folders are forgotten, and those of folders with similar names are not") {
  const TempDir folder;
  for (const std::string name : {"a", "a/b", "a/b/c", "a b", "a-", "a.d", "a0", "ab", "b"}) folder.write("run/" + name + "/f", "x");
  FileStates states({folder.path("run")});
  states.look_at_all();
  fs::remove_all(folder.path("run/a"));
  fs::remove_all(folder.path("run/b"));
  CHECK(states.look_at_all());
  CHECK(paths_of(states) == found_in({folder.path("run")}));
  CHECK(states.files().size() == 5);
  CHECK(states.places().size() == 6);  // with the folder "run"
}

TEST_CASE("file states: a given path may appear later, as a file or as a folder") {
  const TempDir folder;
  FileStates states({folder.path("later"), folder.path("later.log")});
  CHECK_FALSE(states.look_at_all());
  folder.write("later/a.log", "x");
  folder.write("later.log", "x");
  CHECK(states.refresh());
  CHECK(paths_of(states) == std::vector{folder.path("later.log"), folder.path("later/a.log")});
  CHECK(states.places().size() == 2);
  // A folder replaces the file.
  fs::remove(folder.path("later.log"));
  folder.write("later.log/b.log", "x");
  CHECK(states.refresh());
  CHECK(paths_of(states) == std::vector{folder.path("later.log/b.log"), folder.path("later/a.log")});
}

TEST_CASE("file states: after random changes, reported by path or found by refresh, they equal a full walk") {
  for (const std::uint64_t seed : test::seeds(20)) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const TempDir folder;
    folder.write("run/first", "x");
    FileStates states({folder.path("run")});
    if (seed % 2 == 1) states.ask_server();
    states.look_at_all();
    for (int i = 0; i < 60; ++i) {
      const std::string name = "run/" + std::to_string(random() % 3) + (random() % 2 ? "/" + std::to_string(random() % 5) : "") + "/f" +
                               std::to_string(random() % 4);
      std::vector<std::string> touched{folder.path(name)};
      const std::string above = fs::path(folder.path(name)).parent_path().string();
      switch (random() % 4) {
        case 0: fs::remove_all(above), touched = {above}; break;
        case 1: fs::remove(folder.path(name)); break;
        default: folder.write(name, std::string(random() % 50, 'x'));
      }
      random() % 2 ? states.look_at(touched) : states.refresh();
    }
    states.refresh();
    CHECK(paths_of(states) == found_in({folder.path("run")}));
    for (const auto& [path, state] : states.files()) CHECK(state == *state_of(path));
    CHECK(find_files({folder.path("run")}).states == states.files());
  }
}

TEST_CASE("file states: look_at_all equals find_files, including archives, views, links and odd folder names") {
  const TempDir folder;
  folder.write("run/a.log", "one\n");
  folder.write("run/broken.zip", "PK, and nothing more");
  folder.write("run/whole.tar", std::string(1024, '\0'));
  folder.write("run/view.tvview", "{}");
  folder.write("run/x.parquetdir/t.parquet", "PAR1");
  const std::string elsewhere = folder.write("elsewhere/b.log", "x");
  fs::create_symlink(elsewhere, folder.path("run/link.log"));
  fs::create_directory_symlink(folder.path("elsewhere"), folder.path("run/linked"));
  fs::create_symlink(folder.path("nowhere"), folder.path("run/dangling"));
  for (const std::string& given : {folder.path("run"), folder.path("run/"), folder.path("run//"), folder.path("run/broken.zip"), elsewhere}) {
    CAPTURE(given);
    FileStates states({given, folder.path("not/there")});
    states.look_at_all();
    const FoundFiles found = find_files({given, folder.path("not/there")});
    CHECK(found.states == states.files());
    CHECK_FALSE(found.states.empty());
  }
}

TEST_CASE("file states: ask_server finds the next numbered files even if their folders look unchanged") {
  const TempDir folder;
  folder.write("run/step_8/worker_0.jsonl", "{}\n");
  folder.write("run/step_9/worker_0.jsonl", "{}\n");
  FileStates states({folder.path("run")});
  states.ask_server();
  states.look_at_all();
  // Makes the folders look unchanged, as cached attributes of a network file system do.
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  const auto look_unchanged = [&] {
    for (const char* name : {"run", "run/step_8", "run/step_9"}) fs::last_write_time(folder.path(name), long_ago);
  };
  look_unchanged();
  states.look_at_all();
  for (const char* name : {"run/step_9/worker_1.jsonl", "run/step_9/worker_2.jsonl", "run/step_10/worker_0.jsonl"}) folder.write(name, "{}\n");
  folder.write("run/console.log", "not numbered\n");
  look_unchanged();
  CHECK(states.refresh());
  std::vector<std::string> expected = found_in({folder.path("run")});
  std::erase(expected, folder.path("run/console.log"));
  CHECK(paths_of(states) == expected);
  // A full listing keeps them and adds the rest.
  states.look_at_all();
  CHECK(paths_of(states) == found_in({folder.path("run")}));
}

TEST_CASE("find files: files that are already known are found, with their known states") {
  const TempDir folder;
  const std::string listed = folder.write("run/step_1/a.jsonl", "{}\n"), late = folder.path("run/step_2/b.jsonl");
  const FileState grown{500, 7, 1, false}, other{40, 8, 2, false};
  const FilesByPath known{{listed, grown}, {late, other}, {folder.path("elsewhere/c.jsonl"), other}};
  const FoundFiles found = find_files({folder.path("run")}, {}, &known);
  CHECK(found.files == std::vector{listed, late});
  CHECK(found.states == FilesByPath{{listed, grown}, {late, other}});
}

TEST_CASE("next names: the last number of a name is increased, from the highest of each kind") {
  CHECK(next_name("step_12") == "step_13");
  CHECK(next_name("step_9") == "step_10");
  CHECK(next_name("rank007.json") == "rank008.json");
  CHECK(next_name("a1b999.log") == "a1b1000.log");
  CHECK(next_name("console.log") == "");
  CHECK(next_name("") == "");
  CHECK(next_name("999999999999999999999999") == "9999991000000000000000000");
  CHECK(next_names({"step_1", "step_10", "step_9", "notes.txt", "worker_0.jsonl", "worker_1.jsonl"}, 8) == std::vector<std::string>{"step_11", "worker_2.jsonl"});
  CHECK(next_names({"a1", "b1", "c1"}, 2).size() == 2);
  CHECK(next_names({}, 8).empty());
}

TEST_CASE("file states: thousands of files are all checked within three refreshes") {
  const TempDir folder;
  constexpr int kFiles = 3 * static_cast<int>(FileStates::kMostInTurn);
  for (int i = 0; i < kFiles; ++i) folder.write("run/f" + std::to_string(i), "x");
  FileStates states({folder.path("run")});
  states.look_at_all();
  REQUIRE(states.files().size() == kFiles);
  for (int i = 0; i < kFiles; i += 100) folder.append("run/f" + std::to_string(i), "more");
  for (int turn = 0; turn < 3; ++turn) states.refresh();
  std::size_t grown = 0;
  for (const auto& [path, state] : states.files()) grown += state.bytes == 5 ? 1 : 0;
  CHECK(grown == (kFiles + 99) / 100);
  // Recently changed files are checked each time.
  folder.append("run/f100", "!");
  CHECK(states.refresh());
  CHECK(states.files().at(folder.path("run/f100")).bytes == 6);
}

#ifdef __linux__
TEST_CASE("folder events: writes, removals and replacements are reported by path, also for a file watched by itself") {
  constexpr std::chrono::milliseconds kLong(60'000);
  const TempDir folder;
  folder.write("run/a.log", "one\n");
  const std::string alone = folder.write("alone.log", "one\n");
  FolderEvents events;
  events.watch({folder.path("run"), alone});
  folder.append("run/a.log", "two\n");
  CHECK(events.wait(kLong).touched == std::vector{folder.path("run/a.log")});
  folder.append("alone.log", "two\n");
  CHECK(events.wait(kLong).touched == std::vector{alone});
  fs::remove(folder.path("run/a.log"));
  CHECK(events.wait(kLong).touched == std::vector{folder.path("run/a.log")});
  // A file that replaces it is watched after the next watch().
  fs::rename(folder.write("other", "new\n"), alone);
  CHECK(events.wait(kLong).touched == std::vector{alone});
  events.watch({alone});
  folder.append("alone.log", "more\n");
  CHECK(events.wait(kLong).touched == std::vector{alone});
  events.interrupt();
  CHECK(events.wait(kLong).touched.empty());
}

TEST_CASE("folder events: a folder that is watched under two paths is reported under both, and stays watched under one") {
  constexpr std::chrono::milliseconds kLong(60'000);
  const TempDir folder;
  folder.write("run/a.log", "one\n");
  fs::create_directory_symlink(folder.path("run"), folder.path("link"));
  FolderEvents events;
  events.watch({folder.path("run"), folder.path("link")});
  folder.append("run/a.log", "two\n");
  CHECK(events.wait(kLong).touched == std::vector{folder.path("link/a.log"), folder.path("run/a.log")});
  events.watch({folder.path("run")});
  folder.append("run/a.log", "three\n");
  CHECK(events.wait(kLong).touched == std::vector{folder.path("run/a.log")});
}

TEST_CASE("folder events: events are reported even where poll() fails") {
  constexpr std::chrono::milliseconds kNow(0), kLong(60'000);
  const TempDir folder;
  FolderEvents events;
  events.watch({folder.path()});
  const std::string written = folder.write("a.log", "one\n");
  rlimit allowed{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &allowed) == 0);
  const rlimit too_few{1, allowed.rlim_max};  // poll() refuses two descriptors
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &too_few) == 0);
  const auto touched = events.wait(kNow).touched;
  events.interrupt();
  const auto interrupted = events.wait(kLong).touched;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &allowed) == 0);
  CHECK(touched == std::vector{written});
  CHECK(interrupted.empty());
}
#endif

}  // namespace tv
