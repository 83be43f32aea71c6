#include "core/read/chrome/chrome_process.h"

#include <doctest/doctest.h>

using namespace tv;

namespace {

LaneSpec lane(std::string pid, std::string process, LaneKind kind = LaneKind::Thread) {
  LaneSpec spec;
  spec.path = {{"file", 0, "/logs/file.json"}, {std::move(process), 0, "pid " + std::move(pid)}, {"lane"}};
  spec.kind = kind;
  return spec;
}

}  // namespace

TEST_CASE("chrome_process: the rank in a process's name") {
  CHECK(rank_in_name("app [Rank 12]") == 12);
  CHECK(rank_in_name("rank12 python") == 12);
  CHECK(rank_in_name("Rank: 7") == 7);
  CHECK(rank_in_name("RANK_0") == 0);
  CHECK(rank_in_name("local rank of rank=3") == 3);
  CHECK(rank_in_name("python 4711") == std::nullopt);
  CHECK(rank_in_name("prank 3") == std::nullopt);
  CHECK(rank_in_name("ranking 3") == std::nullopt);
  CHECK(rank_in_name("rank") == std::nullopt);
  CHECK(rank_in_name("rank 12345678901234567890") == std::nullopt);
}

TEST_CASE("chrome_process: one rank is the file's, several have groups of their own") {
  LaneSpecs lanes = {{"a", lane("5", "app [Rank 3]")}, {"b", lane("0", "GPU 0", LaneKind::Stream)}};
  SourceInfo info;
  tell_processes(lanes, "file", info);
  CHECK(info.rank == 3);
  CHECK(lanes["b"].path.front().name == "rank 3");
  CHECK(lanes["b"].path.front().key == "/logs/file.json");
  CHECK(!lanes["a"].rank);

  lanes = {{"a", lane("5", "app [Rank 3]")}, {"b", lane("6", "app [Rank 12]")}, {"c", lane("7", "controller")}};
  info = {};
  tell_processes(lanes, "file", info);
  CHECK(!info.rank);
  CHECK(lanes["a"].rank == 3);
  CHECK(lanes["b"].rank == 12);
  CHECK(lanes["b"].path.front().name == "rank 12");
  CHECK(lanes["b"].path.front().identity() != lanes["a"].path.front().identity());
  CHECK(!lanes["c"].rank);
  CHECK(lanes["c"].path.front().name == "file");

  info = {};
  info.rank = 1;  // distributedInfo says so
  lanes = {{"a", lane("5", "app [Rank 3]")}};
  tell_processes(lanes, "file", info);
  CHECK(info.rank == 1);
  CHECK(lanes["a"].path.front().name == "file");
}

TEST_CASE("chrome_process: host and pid in the file's name count when its contents have that pid") {
  const auto told = [](std::string_view stem, LaneSpecs lanes) {
    SourceInfo info;
    tell_processes(lanes, stem, info);
    return info;
  };
  const LaneSpecs threads = {{"a", lane("1987", "python 1987")}, {"b", lane("0", "GPU 0", LaneKind::Stream)}};
  CHECK(told("host-a_1987.1700000000000", threads).host == "host-a");
  CHECK(told("host-a_1987.1700000000000", threads).pid == 1987);
  CHECK(told("my_host_1987.1700000000000000000", threads).host == "my_host");
  CHECK(told("worker_0.1700000000000", threads).host == "");  // a name that somebody chose
  CHECK(told("worker_0.1700000000000", threads).pid == 1987);
  CHECK(told("host-a_1987.5", threads).host == "");
  CHECK(told("host-a_1987", threads).host == "");
  CHECK(told("_1987.1700000000000", threads).host == "");
  CHECK(told("trace", {{"a", lane("1", "python 1")}, {"b", lane("2", "python 2")}}).pid == std::nullopt);
}
