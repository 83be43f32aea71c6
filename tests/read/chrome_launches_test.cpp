// Launches recorded both by correlation ids and by flow events: the arrows do not depend on where chunks end.
#include <doctest/doctest.h>

#include <string>

#include "core/session/load/load_job.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string arrows(const std::string& file, std::size_t chunk_bytes) {
  LoadOptions options;
  options.chunk_bytes = chunk_bytes;
  const auto trace = load_snapshot({file}, test_pool(), options)->trace;
  std::string text;
  for (const Flow& flow : trace->flows) {
    const auto name = [&](SliceId s) { return std::string(trace->name_of(s)); };
    text += name(flow.from) + " > " + name(flow.to) + "\n";
  }
  return text;
}

// Count and offsets of flow events without their other end, from the problem's examples.
std::string lost_ends(const std::string& file, std::size_t chunk_bytes) {
  LoadOptions options;
  options.chunk_bytes = chunk_bytes;
  const auto trace = load_snapshot({file}, test_pool(), options)->trace;
  std::string text;
  for (const ProblemCount& problem : trace->sources.front().problems.entries()) {
    if (problem.kind != ProblemKind::unmatched_flow) continue;
    text = std::to_string(problem.count) + ":";
    for (const ProblemExample& example : problem.examples) text += " " + std::to_string(example.byte_offset);
  }
  return text;
}

std::string call(const std::string& name) {
  return R"({"ph":"X","name":")" + name +
         R"(","pid":9,"tid":9,"ts":1000,"dur":3,"cat":"cuda_runtime","args":{"correlation":1}},)" + "\n" +
         R"({"ph":"s","name":"ac2g","pid":9,"tid":9,"ts":1000,"cat":"ac2g","id":1},)" + "\n";
}

}  // namespace

TEST_CASE("chrome launches: of two calls with equal id and time the second launches, for any chunk size") {
  const TempDir folder;
  const std::string file = folder.write(
      "a.json",
      "{\"traceEvents\":[\n" + call("first") + call("second") +
          R"({"ph":"X","name":"gemm","pid":0,"tid":7,"ts":1020,"dur":10,"cat":"kernel","args":{"correlation":1}},)"
          "\n"
          R"({"ph":"f","bp":"e","name":"ac2g","pid":0,"tid":7,"ts":1020,"cat":"ac2g","id":1}]})");
  const std::string expected = arrows(file, 0);
  CHECK(expected == "second > gemm\n");
  for (const std::size_t chunk : {16, 64, 100, 150, 200, 300}) CHECK(arrows(file, chunk) == expected);
}

TEST_CASE("chrome launches: work without a recorded call is reported once, at its slice, for any chunk size") {
  const TempDir folder;
  const auto work = [](int id, int time, const std::string& ends) {
    const std::string place = R"("pid":0,"tid":7,"ts":)" + std::to_string(time);
    const std::string flow =
        R"({"ph":"f",)" + ends + R"("name":"ac2g",)" + place + R"(,"cat":"ac2g","id":)" + std::to_string(id) + "},\n";
    return R"({"ph":"X","name":"gemm",)" + place + R"(,"dur":10,"cat":"kernel","args":{"correlation":)" +
           std::to_string(id) + "}},\n" + flow;
  };
  const auto file_of = [&](const std::string& name, const std::string& records) {
    return folder.write(name, "{\"traceEvents\":[\n" + records + "{}]}");
  };
  for (const std::string& ends : {std::string(), std::string(R"("bp":"e",)")}) {
    const std::string first = work(1, 1000, ends);
    const std::string file = file_of("a.json", first + work(2, 1020, ends));
    const std::string expected = "2: 17 " + std::to_string(17 + first.size());
    for (const std::size_t chunk : {0, 16, 64, 100, 150, 200, 300}) CHECK(lost_ends(file, chunk) == expected);
  }
  // A repeated flow event counts as a second one, and so does one of another lane in between.
  const std::string once = work(1, 1000, {});
  const std::size_t flow = once.find('\n') + 1;
  std::string elsewhere = once.substr(flow);
  elsewhere.replace(elsewhere.find("\"tid\":7"), 7, "\"tid\":8");
  for (const std::string& records : {once + once.substr(flow), once.substr(0, flow) + elsewhere + once.substr(flow)}) {
    const std::string file = file_of("twice.json", records);
    const std::string expected = lost_ends(file, 0);
    CHECK(expected.substr(0, 5) == "2: 17");
    for (const std::size_t chunk : {16, 64, 100, 150, 200, 300}) CHECK(lost_ends(file, chunk) == expected);
  }
}

TEST_CASE("chrome launches: a flow start belongs to the call before it, even after another start, for any chunk size") {
  const TempDir folder;
  const auto records = [](const std::string& before) {
    return "[" + before + call("launch") +
           R"({"ph":"X","name":"gemm","pid":0,"tid":7,"ts":1020,"dur":10,"cat":"kernel","args":{"correlation":1}},)" + "\n" +
           R"({"ph":"X","name":"other","pid":0,"tid":8,"ts":1040,"dur":10,"cat":"x"},)" + "\n" +
           R"({"ph":"f","bp":"e","name":"ac2g","pid":0,"tid":8,"ts":1040,"cat":"ac2g","id":1}])";
  };
  for (const std::string& before : {std::string(), std::string(R"({"ph":"s","name":"x","pid":9,"tid":9,"ts":1000,"cat":"y","id":1},)")}) {
    const std::string file = folder.write("a.json", records(before));
    for (const std::size_t chunk : {0, 16, 64, 100, 150, 200, 300}) CHECK(arrows(file, chunk) == "launch > gemm\nlaunch > other\n");
  }
}

// Covers both reading paths (plain_event.h): what stands between the two records in the chunk decides which path reads the second.
TEST_CASE("chrome launches: a correlation id outside the args is ignored") {
  const TempDir folder;
  const std::string call = R"({"ph":"X","name":"launch","pid":9,"tid":9,"ts":10,"dur":5,"cat":"cuda_runtime","args":{"a":1},"correlation":8})";
  const std::string work = R"({"ph":"X","name":"gemm","pid":0,"tid":7,"ts":20,"dur":5,"cat":"kernel","args":{"correlation":8}})";
  for (const std::string& between : {std::string(",\n"), std::string(",\n{\"bind_id\":1},\n"), std::string(",\n{\"x\":},\n")}) {
    const std::string file = folder.write("a.json", "[" + call + between + work + "]");
    for (const std::size_t chunk : {0, 16, 64, 200, 300}) CHECK(arrows(file, chunk).empty());
  }
}
