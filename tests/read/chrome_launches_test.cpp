// Launches told twice, by correlation ids and by flow events: the same arrows wherever a chunk ends.
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

std::string call(const std::string& name) {
  return R"({"ph":"X","name":")" + name +
         R"(","pid":9,"tid":9,"ts":1000,"dur":3,"cat":"cuda_runtime","args":{"correlation":1}},)" + "\n" +
         R"({"ph":"s","name":"ac2g","pid":9,"tid":9,"ts":1000,"cat":"ac2g","id":1},)" + "\n";
}

}  // namespace

TEST_CASE("chrome launches: of two calls with one id at one time, whatever the chunks") {
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
