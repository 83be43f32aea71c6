// The file dialog without its window: its lines and their order, the keyboard, the selection, completion by Tab.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "core/session/desk/file_browser.h"
#include "core/store/draft/load_part.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

FolderListing listing_of(std::vector<FolderEntry> entries) { return {std::move(entries), {}}; }

FileBrowser browser_of(std::vector<FolderEntry> entries) {
  FileBrowser browser;
  browser.go("/data");
  browser.show(listing_of(std::move(entries)));
  return browser;
}

std::string names_of(const FileBrowser& browser) {
  std::string out;
  for (std::size_t i = 0; i < browser.size(); ++i) out += (i ? " " : "") + browser.entry(i).name;
  return out;
}

std::string on(const FileBrowser& browser) { return browser.entry(browser.line()).name; }

}  // namespace

TEST_CASE("file browser: folders come first, names sort naturally, and choosing a column again reverses the order") {
  FileBrowser browser = browser_of({{"step_10.json", false, 5, 30}, {"b", true, 0, 10}, {"step_9.json", false, 900, 20}, {"a", true, 0, 40},
                                    {"run.nsys-rep", false, 7, 50}});
  CHECK(names_of(browser) == "a b run.nsys-rep step_9.json step_10.json");
  browser.sort_by(FileColumn::Name);
  CHECK(names_of(browser) == "b a step_10.json step_9.json run.nsys-rep");
  browser.sort_by(FileColumn::Size);
  CHECK(names_of(browser) == "a b step_9.json run.nsys-rep step_10.json");
  browser.sort_by(FileColumn::Size);
  CHECK(names_of(browser) == "a b step_10.json run.nsys-rep step_9.json");
  browser.sort_by(FileColumn::Modified);
  CHECK(names_of(browser) == "a b run.nsys-rep step_10.json step_9.json");
  browser.sort_by(FileColumn::Kind);
  CHECK(names_of(browser) == "a b run.nsys-rep step_9.json step_10.json");
}

TEST_CASE("file browser: hidden files, and files of other kinds, are left out and counted") {
  FileBrowser browser = browser_of({{".git", true}, {".x.json", false, 1}, {"a.json", false, 1}, {"notes.md", false, 1}});
  CHECK(names_of(browser) == "a.json notes.md");
  CHECK(browser.left_out() == 2);
  browser.set_kind(&words_of(FilePurpose::OpenTraces).kind);
  CHECK(names_of(browser) == "a.json");
  CHECK(browser.left_out() == 3);
  browser.set_hidden(true);
  CHECK(names_of(browser) == ".git .x.json a.json");
}

TEST_CASE("file browser: Shift with arrows extends the selection, an arrow alone selects one file") {
  FileBrowser browser = browser_of({{"a"}, {"b"}, {"c"}, {"d"}, {"e"}});
  browser.move(1);
  CHECK(browser.chosen_paths() == std::vector<std::string>{"/data/b"});
  browser.move(2, true);
  CHECK(browser.chosen_paths() == std::vector<std::string>{"/data/b", "/data/c", "/data/d"});
  browser.move(-3, true);
  CHECK(browser.chosen_paths() == std::vector<std::string>{"/data/a", "/data/b"});
  browser.move(1);
  CHECK(browser.chosen_paths() == std::vector<std::string>{"/data/b"});
  browser.toggle(3);
  browser.toggle(0);
  CHECK(browser.chosen_paths() == std::vector<std::string>{"/data/a", "/data/d"});
  browser.move(-100);
  CHECK(on(browser) == "a");
  browser.move(100);
  CHECK(on(browser) == "e");
  browser.choose_all();
  CHECK(browser.chosen_paths().size() == 5);
}

TEST_CASE("file browser: letters typed within a second search for a name, and a repeated letter finds the next one") {
  FileBrowser browser = browser_of({{"alpha"}, {"rank_0"}, {"Rank_1"}, {"rho"}, {"数据"}});  // Rank_1 sorts first
  browser.type("r", 10);
  CHECK(on(browser) == "rank_0");
  browser.type("r", 10.5);
  CHECK(on(browser) == "rho");
  browser.type("h", 20);
  CHECK(on(browser) == "rho");  // no name begins with h
  browser.type("r", 30);
  CHECK(on(browser) == "Rank_1");
  browser.type("h", 30.2);
  CHECK(on(browser) == "rho");
  browser.type("数", 40);
  CHECK(on(browser) == "数据");
}

TEST_CASE("file browser: going up selects the folder one came from, and a refresh or sorting keeps the current line") {
  FileBrowser browser = browser_of({{"x", true}, {"y", true}});
  browser.go("/data/y/");
  CHECK(browser.folder() == "/data/y");
  browser.show(listing_of({{"f"}}));
  CHECK(browser.path(0) == "/data/y/f");
  browser.go_up();
  CHECK(browser.folder() == "/data");
  CHECK(browser.size() == 0);
  browser.show(listing_of({{"x", true}, {"y", true}, {"z", true}}));
  CHECK(on(browser) == "y");
  browser.show(listing_of({{"a", true}, {"x", true}, {"y", true}}));
  CHECK(on(browser) == "y");
  browser.sort_by(FileColumn::Name);
  CHECK(on(browser) == "y");
  browser.go("/data/x");
  browser.go_up();
  browser.go("/elsewhere");  // before the entries of /data are there
  browser.show(listing_of({{"x", true}, {"y", true}}));
  CHECK(on(browser) == "y");  // the first line, because the order is reversed
  browser.go("/");
  browser.go_up();
  CHECK(browser.folder() == "/");
  browser.show(listing_of({{"etc", true}}));
  CHECK(browser.path(0) == "/etc");
}

TEST_CASE("file browser: the kind of a file is derived from its name") {
  CHECK(kind_by_name("a.pt.trace.json.gz") == "Trace (JSON, gzip)");
  CHECK(kind_by_name("A.NSYS-REP") == "Nsight Systems report");
  CHECK(kind_by_name("worker_3.jsonl") == "Rollout log");
  CHECK(kind_by_name("metrics.jsonl") == "Log (JSON lines)");
  CHECK(kind_by_name("photo.webp").empty());
}

TEST_CASE("file browser: Tab completes a path up to where the matching names differ") {
  const FolderListing folder = listing_of({{"step_1", true}, {"step_2", true}, {"stop.json"}, {".hidden"}, {"数据一"}, {"数据二"}});
  const auto found = path_completions("/d/st", folder);
  CHECK(found == std::vector<std::string>{"/d/step_1/", "/d/step_2/", "/d/stop.json"});
  CHECK(common_beginning(found) == "/d/st");
  CHECK(common_beginning(path_completions("/d/ste", folder)) == "/d/step_");
  CHECK(path_completions("/d/.h", folder) == std::vector<std::string>{"/d/.hidden"});
  CHECK(common_beginning(path_completions("/d/数", folder)) == "/d/数据");  // not half of a UTF-8 character
  CHECK(path_completions("/d/q", folder).empty());
  CHECK(common_beginning({}).empty());
}

TEST_CASE("folder listing: entries have names, sizes and times, links are followed, a missing folder is an error") {
  const TempDir folder;
  folder.write("a b.json", "12345");
  folder.write("跟踪/x.json", "1");
  std::filesystem::create_symlink("a b.json", folder.path("link"));
  std::filesystem::create_symlink("nowhere", folder.path("broken"));
  FolderListing listing = list_folder(folder.path());
  CHECK(listing.error.empty());
  std::ranges::sort(listing.entries, {}, &FolderEntry::name);
  REQUIRE(listing.entries.size() == 4);
  CHECK((listing.entries[0].name == "a b.json" && listing.entries[0].bytes == 5 && listing.entries[0].modified_s > 0));
  CHECK((listing.entries[1].name == "broken" && !listing.entries[1].folder && listing.entries[1].modified_s == 0));
  CHECK((listing.entries[2].name == "link" && listing.entries[2].bytes == 5));
  CHECK((listing.entries[3].name == "跟踪" && listing.entries[3].folder));
  CHECK(!list_folder(folder.path("gone")).error.empty());
}

TEST_CASE("folder listing: drives are mounts on or below the folders for drives") {
  const TempDir folder;
  folder.write("mounts", "/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /mnt ext4 rw 0 0\n/dev/sdc1 /mntx ext4 rw 0 0\n"
                         "/dev/sdd1 /media/ann/my\\040disk vfat rw 0 0\n");
  CHECK(mounted_drives(folder.path("mounts")) == std::vector<std::string>{"/media/ann/my disk", "/mnt"});
}

TEST_CASE("file browser: in random folders each entry is either shown or left out, and neighbours are in order") {
  constexpr unsigned kSeed = 7;
  INFO("seed ", kSeed);
  std::mt19937 random(kSeed);
  for (int round = 0; round < 60; ++round) {
    std::vector<FolderEntry> entries;
    for (std::uint_fast32_t i = 0, n = random() % 40; i < n; ++i) {
      std::string name = (random() % 4 == 0 ? "." : "") + std::string(1, static_cast<char>('a' + random() % 3)) + std::to_string(i);
      if (random() % 2) name += ".json";
      entries.push_back({name, random() % 3 == 0, random() % 5, static_cast<std::int64_t>(random() % 5)});
    }
    FileBrowser browser = browser_of(entries);
    if (random() % 2) browser.set_kind(&words_of(FilePurpose::OpenTraces).kind);
    for (unsigned i = 0, n = random() % 4; i < n; ++i) browser.sort_by(static_cast<FileColumn>(random() % 4));
    CHECK(browser.size() + browser.left_out() == entries.size());
    for (std::size_t i = 1; i < browser.size(); ++i) {
      const FolderEntry &a = browser.entry(i - 1), &b = browser.entry(i);
      CHECK(a.folder >= b.folder);
      if (a.folder != b.folder || browser.column() != FileColumn::Size) continue;
      CHECK((browser.descending() ? a.bytes >= b.bytes : a.bytes <= b.bytes));
    }
  }
}

TEST_CASE("load part: ranks, steps and a time range are parsed, and malformed ones are rejected") {
  CHECK(load_part("", " ", "").value().everything());
  const LoadChoice part = load_part("0..3,7 ", " 60..70", "1s..2s").value();
  CHECK(part.ranks == std::vector<RankSpan>{{0, 3}, {7, 7}});
  CHECK(part.steps == std::vector<RankSpan>{{60, 70}});
  CHECK(part.window == TimeRange{1'000'000'000, 2'000'000'000});
  CHECK(!load_part("x", "", ""));
  CHECK(!load_part("", "x", ""));
  CHECK(!load_part("", "", "2s..1s"));
}
