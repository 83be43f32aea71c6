#include "core/session/load/pack_items.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/base/text/path_parts.h"
#include "tests/session/trace_files.h"
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

TEST_CASE("pack_items: a rank's traces are one, files of no rank are alone, logs are together") {
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

TEST_CASE("pack_items: windows of one worker of torch.profiler are one, as they are when they are opened") {
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

TEST_CASE("pack_items: names can be those of files, and are no words of a shell") {
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

TEST_CASE("pack_items: what it is made from changes with its files and with how they are read") {
  const TempDir folder;
  const PackItem item{"a", {folder.write("a.json", "[" + event("a", 1, 5) + "]")}};
  const std::string before = made_from(item, "1");
  CHECK(made_from(item, "1") == before);
  CHECK(made_from(item, "2") != before);
  folder.append("a.json", " ");
  CHECK(made_from(item, "1") != before);
  CHECK(made_from({"b", {folder.path("gone.json")}}, "1").empty());
}
