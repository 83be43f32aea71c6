// Lines torn by two writers: how many records begin in them, and how many are lost.
#include "core/read/json/line_records.h"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string>

#include "core/session/load/load_job.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr std::array<std::string_view, 2> kKeys = {"step", "data"};
constexpr RecordKeys kRecord{kKeys, 0b11, 0b11, 0b11};

std::string metrics(int step) { return R"({"step":)" + std::to_string(step) + R"(,"data":{"loss":1.5,"lr":2e-7}})"; }

}  // namespace

TEST_CASE("line_records: records are counted by where they begin") {
  CHECK(records_begun("", kRecord) == 0);
  CHECK(records_begun(", \t", kRecord) == 0);
  CHECK(records_begun("plain words", kRecord) == 0);
  CHECK(records_begun("{\"st", kRecord) == 1);
  CHECK(records_begun(R"({"step":1,"data":{)", kRecord) == 1);
  CHECK(records_begun(R"(":2,"step":1,"data":{)", kRecord) == 1);
  CHECK(records_begun(R"({"step":1,"da{ "step": 2,"data":{"x" {"step":3)", kRecord) == 3);
  CHECK(records_begun(R"({"data":{"text":"{\"step\":1"}})", kRecord) == 1);
}

TEST_CASE("line_records: every record of a torn line of metrics is shown or counted as lost") {
  const TempDir folder;
  std::string text = metrics(1) + metrics(2) + "{" + metrics(3);
  for (int step = 4; step < 10; ++step) text += metrics(step).substr(0, 20 + static_cast<std::size_t>(step));
  const auto trace = load_snapshot({folder.write("metrics.jsonl", text + "\n")}, test_pool(), {})->trace;
  CHECK(trace->instant_count == 3);
  CHECK(trace->lost() == 6);
}
