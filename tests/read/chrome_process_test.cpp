#include "core/read/chrome/chrome_process.h"

#include <doctest/doctest.h>

#include "core/read/file_facts.h"

using namespace tv;

namespace {

LaneSpec lane(std::string pid, std::string process, LaneKind kind = LaneKind::Thread) {
  LaneSpec spec;
  spec.path = {{"file", 0, "/logs/file.json"}, {std::move(process), 0, "pid " + std::move(pid)}, {"lane"}};
  spec.kind = kind;
  return spec;
}

}  // namespace

TEST_CASE("chrome_process: a single rank is the file's, several ranks get a group each") {
  LaneSpecs lanes = {{"a", lane("5", "app [Rank 3]")}, {"b", lane("0", "GPU 0", LaneKind::Stream)}};
  SourceInfo info;
  tell_processes(lanes, "file", info);
  CHECK(info.rank == 3);
  CHECK(lanes["b"].path.front().name == "rank 3");
  CHECK(lanes["b"].path.front().key == "/logs/file.json");
  CHECK(lanes["a"].rank() == 3);

  lanes = {{"a", lane("5", "app [Rank 3]")}, {"b", lane("6", "app [Rank 12]")}, {"c", lane("7", "controller")}};
  info = {};
  tell_processes(lanes, "file", info);
  CHECK(!info.rank);
  CHECK(lanes["a"].rank() == 3);
  CHECK(lanes["b"].rank() == 12);
  CHECK(lanes["b"].path.front().name == "rank 12");
  CHECK(lanes["b"].path.front().identity() != lanes["a"].path.front().identity());
  CHECK(!lanes["c"].rank());
  CHECK(lanes["c"].path.front().name == "file");

  // A file that SGLang merged has the distributedInfo of the first of its files.
  lanes = {{"a", lane("[TP00] 4100", "sglang 4100")}, {"b", lane("[TP01] 0", "GPU 0", LaneKind::Stream)},
           {"c", lane("[TP01] 4101", "sglang 4101")}, {"d", lane("9", "controller")}};
  info = {};
  info.rank = 0;
  info.facts = {{"rank", "0", "distributedInfo"}};
  tell_processes(lanes, "merged-1", info);
  CHECK(!info.rank);
  CHECK(info.facts.empty());
  CHECK(lanes["a"].path.front().name == "TP00");
  CHECK(lanes["b"].path.front().name == "TP01");
  CHECK(lanes["b"].path.front().identity() == lanes["c"].path.front().identity());
  CHECK(lanes["c"].rank() == 1);
  CHECK(lanes["d"].path.front().name == "merged-1");

  // Replicas have the same ranks.
  lanes = {{"a", lane("[TP00-DP00] 7", "x")}, {"b", lane("[TP00-DP01] 7", "x")}};
  info = {};
  tell_processes(lanes, "file", info);
  CHECK(lanes["a"].path.front().identity() != lanes["b"].path.front().identity());
  CHECK(lanes["a"].path.front().sort < lanes["b"].path.front().sort);
  CHECK(!lanes["b"].rank());

  info = {};
  info.rank = 1;  // distributedInfo says so
  lanes = {{"a", lane("5", "app [Rank 3]")}};
  tell_processes(lanes, "file", info);
  CHECK(info.rank == 1);
  CHECK(lanes["a"].path.front().name == "file");

  info = {};
  store_facts(facts_of("rank2.json"), info);
  tell_processes(lanes, "rank2", info);
  CHECK(info.rank == 2);
  CHECK(info.facts.empty());
}

TEST_CASE("chrome_process: the host in the file name counts only if the contents have the name's pid") {
  const auto told = [](std::string_view stem, LaneSpecs lanes) {
    SourceInfo info;
    tell_processes(lanes, stem, info);
    return info;
  };
  const LaneSpecs threads = {{"a", lane("1987", "python 1987")}, {"b", lane("0", "GPU 0", LaneKind::Stream)}};
  CHECK(told("host-a_1987.1700000000000", threads).host == "host-a");
  CHECK(told("host-a_1987.1700000000000", threads).pid == 1987);
  CHECK(told("my_host_1987.1700000000000000000", threads).host == "my_host");
  CHECK(told("worker_0.1700000000000", threads).host == "");  // a chosen name
  CHECK(told("worker_0.1700000000000", threads).pid == 1987);
  CHECK(told("host-a_1987.5", threads).host == "");
  CHECK(told("host-a_1987", threads).host == "");
  CHECK(told("_1987.1700000000000", threads).host == "");
  CHECK(told("trace", {{"a", lane("1", "python 1")}, {"b", lane("2", "python 2")}}).pid == std::nullopt);
}
