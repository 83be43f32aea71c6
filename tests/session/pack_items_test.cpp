#include "core/session/load/pack_items.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/base/text/path_parts.h"
#include "core/base/text/printable.h"
#include "core/base/text/utf8.h"
#include "core/session/load/load_job.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string text_of(const std::vector<PackItem>& items) {
  std::string text;
  for (const PackItem& item : items) {
    text += item.name + ":";
    for (const std::string& path : item.paths) text += " " + std::string(last_part(path));
    text += "\n";
  }
  return text;
}

constexpr std::string_view kRequest =
    R"({"timestamp": "2026-01-01T00:00:10.5", "event": "turn_engine_call", "duration_sec": 1.5, "workid": 0, "step": 1})";

}  // namespace

TEST_CASE("pack_items: a rank's traces form one item, files without a rank one each, and all logs one") {
  const TempDir folder;
  const std::string trace = "[" + event("a", 1, 5) + "]";
  folder.write("run/rank_10.json", trace);
  folder.write("run/rank_2.json", trace);
  folder.write("run/later/rank_2.json", trace);
  folder.write("run/rank_2.step_7.json", trace);
  folder.write("run/server loop.json", trace);
  folder.write("run/step_1/worker_0.jsonl", kRequest);
  folder.write("run/step_2/worker_0.jsonl", kRequest);
  folder.write("run/notes.txt", "nothing to see");
  CHECK(text_of(pack_items({folder.path("run")})) ==
        "later_rank_2: rank_2.json\n"
        "logs: worker_0.jsonl worker_0.jsonl\n"
        "rank_2: rank_2.json rank_2.step_7.json\n"
        "rank_10: rank_10.json\n"
        "server_loop: server loop.json\n");
  // Names do not depend on how the folder was given.
  CHECK(text_of(pack_items({folder.path("run") + "/"})) == text_of(pack_items({folder.path("run")})));
  CHECK(text_of(pack_items({folder.path("run/rank_10.json")})) == "rank_10: rank_10.json\n");
  CHECK(pack_items({folder.path("run/notes.txt")}).empty());
  CHECK(pack_items({folder.path("not there")}).empty());
}

TEST_CASE("pack_items: torch.profiler windows of one worker form one item") {
  const TempDir folder;
  const std::string trace = "[" + event("a", 1, 5) + "]";
  for (const char* const name : {"node1_25738.1700000000123", "node1_25738.1700000050123456789", "node1_25739.1700000000123", "loop.123", "loop.124"}) {
    folder.write(std::string("run/") + name + ".pt.trace.json", trace);
  }
  CHECK(text_of(pack_items({folder.path("run")})) ==
        "loop.123: loop.123.pt.trace.json\n"
        "loop.124: loop.124.pt.trace.json\n"
        "node1_25738: node1_25738.1700000000123.pt.trace.json node1_25738.1700000050123456789.pt.trace.json\n"
        "node1_25739: node1_25739.1700000000123.pt.trace.json\n");
}

TEST_CASE("pack_items: names are safe as file names and in a shell") {
  const TempDir folder;
  for (const char* const name : {"-rf.json", ".hidden", "a'b\"c.json", "$(x).json", "\xE6\x97\xB6.json", "a\nb.json"}) {
    folder.write(std::string("run/") + name, "[" + event("a", 1, 5) + "]");
  }
  for (const PackItem& item : pack_items({folder.path("run")})) {
    CAPTURE(item.name);
    CHECK(item.name.find_first_of(" \n/'\"$()&|;`") == std::string::npos);
    CHECK(!item.name.starts_with('-'));
    CHECK(!item.name.starts_with('.'));
  }
  CHECK(pack_items({folder.path("run")}).size() == 5);
}

TEST_CASE("pack_items: names are unique, short enough for a file name, and printable") {
  const TempDir folder;
  const std::string trace = "[" + event("a", 1, 5) + "]";
  const std::string deep = std::string(120, 'd') + "/" + std::string(120, 'e') + "/";
  const std::string wide = std::string(60, 'x') + "/";
  std::string letters;
  for (int i = 0; i < 80; ++i) letters += "\u6f22";
  for (const std::string& name :
       {std::string("a b/rank0.json"), std::string("a_b/rank0.json"), std::string("a/b/rank0.json"), std::string("a:b/rank0.json"),
        std::string("plain/rank0.json"), deep + "rank0.json", deep + "rank1.json", wide + "rank0.json", letters + ".json",
        std::string("a\u202eb.json"), std::string("a\xff" "b.json"), std::string("a\x1b[31m.json")}) {
    folder.write("run/" + name, trace);
  }
  const std::vector<PackItem> items = pack_items({folder.path("run")});
  std::set<std::string> names;
  std::size_t files = 0;
  for (const PackItem& item : items) {
    CAPTURE(item.name);
    names.insert(item.name);
    files += item.paths.size();
    CHECK(item.paths.size() == 1);
    CHECK(item.name.size() <= 180);
    CHECK(printable(item.name) == item.name);
    CHECK(valid_utf8(item.name) == item.name);
  }
  CHECK(names.size() == 12);
  CHECK(files == 12);
  CHECK(names.contains("plain_rank_0"));
  CHECK(names.contains(std::string(60, 'x') + "_rank_0"));
  // The result is the same each time.
  CHECK(text_of(pack_items({folder.path("run")})) == text_of(items));
}

TEST_CASE("pack_items: a file merged from others is left out when those are there, and is an item when alone") {
  const TempDir folder;
  const std::string trace = "[" + event("a", 1, 5) + "]";
  folder.write("run/profile_record_tmp_file_for_rank_0", trace);
  folder.write("run/profile_record_tmp_file_for_rank_1", trace);
  folder.write("run/pipeline_profile.json", trace);
  folder.write("alone/pipeline_profile.json", trace);
  folder.write("alone/other.json", trace);
  const std::vector<PackItem> items = pack_items({folder.path(".")});
  std::vector<std::string> paths;
  for (const PackItem& item : items) paths.insert(paths.end(), item.paths.begin(), item.paths.end());
  CHECK(std::ranges::none_of(paths, [](const std::string& path) { return path.find("run/pipeline_profile") != path.npos; }));
  CHECK(std::ranges::any_of(paths, [](const std::string& path) { return path.find("alone/pipeline_profile") != path.npos; }));
  // All items together contain each slice of the folder once.
  const auto slices = [](const std::vector<std::string>& of) { return load_snapshot(of, test_pool())->trace->slice_count; };
  std::uint64_t packed = 0;
  for (const PackItem& item : items) packed += slices(item.paths);
  CHECK(packed == slices({folder.path(".")}));
}

TEST_CASE("pack_items: made_from changes with the files and with how they are read") {
  const TempDir folder;
  const PackItem item{"a", {folder.write("a.json", "[" + event("a", 1, 5) + "]")}};
  const std::string before = made_from(item, "1");
  CHECK(made_from(item, "1") == before);
  CHECK(made_from(item, "2") != before);
  folder.append("a.json", " ");
  CHECK(made_from(item, "1") != before);
  CHECK(made_from({"b", {folder.path("gone.json")}}, "1").empty());
}
