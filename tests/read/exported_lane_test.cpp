#include "core/read/chrome/exported_lane.h"

#include <doctest/doctest.h>

#include "core/session/load/load_job.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("exported lane: the written text is parsed back to the same lane") {
  LaneSpec lane;
  lane.path = {{"rank 0", 4}, {"a  b / 7", 5}, {"", -6}};
  lane.kind = LaneKind::Requests;
  lane.rule = RowRule::Pack;
  lane.nest_tolerance = 5'000'000;
  const std::string text = exported_lane_text(lane);
  CHECK(text == "requests pack 5000000\x1f" "4 rank 0\x1f" "5 a  b / 7\x1f" "-6 ");
  const auto read = parse_exported_lane(text, "/a.json");
  REQUIRE(read);
  CHECK(read->kind == LaneKind::Requests);
  CHECK(read->rule == RowRule::Pack);
  CHECK(read->nest_tolerance == 5'000'000);
  REQUIRE(read->path.size() == 3);
  CHECK(read->path[1].name == "a  b / 7");
  CHECK(read->path[2].sort == -6);
  CHECK(read->path[0].key == "/a.json#4");
  CHECK(read->path[2].key == "#-6");
}

TEST_CASE("exported lane: malformed or deeply nested text is rejected") {
  for (const char* text : {"", "thread", "thread nest 0", "thread nest 0\x1f", "fiber nest 0\x1f" "1 a", "thread heap 0\x1f" "1 a",
                           "thread nest x\x1f" "1 a", "thread nest -1\x1f" "1 a", "thread nest 9223372036854775807\x1f" "1 a",
                           "thread nest 0\x1f" "a", "thread nest 0\x1f" "99999999999999999999 a"}) {
    CAPTURE(text);
    CHECK(!parse_exported_lane(text, "x"));
  }
  std::string deep = "thread nest 0";
  for (int i = 0; i < 100'000; ++i) deep += "\x1f" "1 a";
  CHECK(!parse_exported_lane(deep, "x"));
}

TEST_CASE("exported lane: other names and sort indices of its thread, before or after, do not replace it") {
  const TempDir folder;
  const auto metadata = [](std::string_view kind, std::string_view args) {
    return R"({"ph":"M","name":")" + std::string(kind) + R"(","pid":1,"tid":2,"args":{)" + std::string(args) + "}},\n";
  };
  const std::string lane = metadata("thread_name", R"("name":"x","traceview":"requests pack 0\u001f0 run\u001f1 requests")");
  const std::string name = metadata("thread_name", R"("name":"thread of another tool")"),
                    order = metadata("thread_sort_index", R"("sort_index":3)"),
                    stranger = metadata("thread_sort_index", R"("traceview":"thread nest 0\u001f1 elsewhere")");
  for (const std::string& text : {lane + name + order, name + order + lane, lane + stranger}) {
    CAPTURE(text);
    const auto trace = load_snapshot({folder.write("a.json", "[" + text + event("a", 1, 5) + "]")}, test_pool())->trace;
    REQUIRE(trace->lanes.size() == 2);
    CHECK(trace->lanes[0].name == "run");
    CHECK(trace->lanes[1].name == "requests");
    CHECK(trace->lanes[1].kind == LaneKind::Requests);
    CHECK(trace->lanes[1].slices == 1);
  }
}

TEST_CASE("exported lane: threads with equal text share a lane, a counter has its own, and marks become flags") {
  const TempDir folder;
  const auto lane = [](int tid, const char* text) {
    return R"({"ph":"M","name":"thread_name","pid":1,"tid":)" + std::to_string(tid) + R"(,"args":{"name":"x","traceview":")" +
           text + "\"}},\n";
  };
  const std::string text = "[" + lane(2, "requests pack 0\\u001f0 run\\u001f1 requests") +
                           lane(3, "requests pack 0\\u001f0 run\\u001f1 requests") +
                           lane(4, "counter nest 0\\u001f0 run\\u001f1 requests") +
                           R"({"ph":"X","name":"a","pid":1,"tid":2,"id":0,"ts":1,"dur":5,"traceview":"unfinished"},
{"ph":"X","name":"b","pid":1,"tid":3,"id":1,"ts":2,"dur":5},
{"ph":"X","name":"c","pid":1,"tid":2,"id":0,"ts":3,"dur":0,"traceview":"clamped"},
{"ph":"C","name":"requests","pid":1,"ts":3,"args":{"":7}}])";
  const auto trace = load_snapshot({folder.write("a.json", text)}, test_pool())->trace;
  REQUIRE(trace->lanes.size() == 3);
  CHECK(trace->lanes[0].name == "run");
  CHECK(trace->lanes[1].kind == LaneKind::Requests);
  CHECK(trace->lanes[1].slices == 3);
  CHECK(trace->lanes[2].kind == LaneKind::Counter);
  CHECK(trace->lanes[2].slices == 0);
  const auto flags = [&](const char* name) { return int{trace->ref_of(slice_named(*trace, name)).flags()}; };
  CHECK(flags("a") == kUnfinished);
  CHECK(flags("b") == 0);
  CHECK(flags("c") == kClamped);
  CHECK(trace->row(trace->row_of(slice_named(*trace, "c"))).slot == 0);
  CHECK(trace->row(trace->row_of(slice_named(*trace, "b"))).slot == 1);
}
