// Texts about a slice: label and tooltip of a request, tooltip of merged slices, how a kernel was launched.
#include <doctest/doctest.h>

#include "core/read/json/json_args.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"
#include "core/view/details/slice_tooltip.h"
#include "core/view/words/launch_text.h"
#include "core/view/words/request_label.h"
#include "tests/support/gen_trace.h"
#include "tests/support/hand_rollout.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string value_of(const SliceTooltip& tooltip, std::string_view word) {
  for (const SliceTooltip::Line& line : tooltip.lines) {
    if (line.word == word) return line.value;
  }
  return "none";
}

}  // namespace

TEST_CASE("slice_words: a request bar names its request, in ever shorter forms") {
  const auto rollout = HandRollout()
                           .add({.worker = 2,
                                 .begin = 0,
                                 .seconds = 6,
                                 .tokens = 1234,
                                 .turns = {{.engine_end = 2, .tokens = 1000}, {.engine_end = 5, .tokens = 234}}})
                           .add({.worker = 3, .begin = 0, .seconds = 2})
                           .build();
  REQUIRE(rollout->size() == 2);
  const std::string id(rollout->id(0));
  const auto form = [&](RequestIx r, std::size_t f) {
    return std::string(std::string_view(request_label(*rollout, r, f)));
  };
  CHECK(form(0, 3) == id.substr(0, 4));
  CHECK(form(0, 2) == id.substr(0, 8));
  CHECK(form(0, 0).starts_with("req " + id.substr(0, 8)));
  CHECK(form(0, 0).find("1,234 tokens") != std::string::npos);
  CHECK(form(1, 0).find("tokens") == std::string::npos);
  for (std::size_t f = 1; f < kRequestForms; ++f) CHECK(form(0, f).size() <= form(0, f - 1).size());
  CHECK(turn_at(*rollout, 0, 1 * kSecond) == 0);
  CHECK(turn_at(*rollout, 0, 3 * kSecond) == 1);
  CHECK(turn_at(*rollout, 0, 6 * kSecond) == std::nullopt);
  CHECK(turn_at(*rollout, 1, 1) == std::nullopt);
}

TEST_CASE("slice_words: a short id has whole characters") {
  const std::string id = "\u8bf7\u6c42\u4e00\u4e8c";
  const auto rollout = HandRollout().add({.begin = 0, .seconds = 1, .id = id}).build();
  CHECK(std::string_view(request_label(*rollout, 0, 2)) == id.substr(0, 6));
  CHECK(std::string_view(request_label(*rollout, 0, 3)) == id.substr(0, 3));
  CHECK(short_id(id) == id.substr(0, 6));
}

TEST_CASE("slice_words: the tooltip of a slice has its duration, begin, lane and category") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest)
      .slice("t", 0, 1000, "outer", {}, "cpu_op")
      .slice("t", 100, 250, "inner", {}, "cpu_op")
      .instant("t", 500);
  const auto trace = sketch.build();
  const SliceTooltip outer = slice_tooltip(*trace, nullptr, nullptr, id_at<SliceId>(0));
  CHECK(outer.title == "outer");
  CHECK(value_of(outer, "duration") == "1 µs, self 750 ns (75 %)");
  CHECK(value_of(outer, "begins") == "0 ns");
  CHECK(value_of(outer, "on").ends_with("t"));
  CHECK(value_of(outer, "category") == "cpu_op");
  CHECK(value_of(slice_tooltip(*trace, nullptr, nullptr, id_at<SliceId>(1)), "duration") == "250 ns");
  CHECK(value_of(slice_tooltip(*trace, nullptr, nullptr, id_at<SliceId>(2)), "duration") == "none");
}

TEST_CASE("slice_words: the tooltip of merged slices has their number, the longest and the busy time") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  for (int i = 0; i < 1000; ++i) sketch.slice("t", i * 10, i == 42 ? 8 : 5, i == 42 ? "long" : "short");
  const Snapshot snapshot = snapshot_of(sketch.build());
  const LaneLayout layout(*snapshot.trace, {}, LaneMetrics());
  const double y = layout.boxes()[1].rows_y() + 1;
  const auto coarse = pick(snapshot, layout, {0, 10'000}, 10, 0, 0.5, y);  // 1,000 ns per pixel
  REQUIRE(coarse);
  REQUIRE(coarse->merged);
  CHECK(coarse->merged->count == 100);
  CHECK(coarse->merged->busy == 503);
  CHECK(coarse->merged->column == 1000);
  const SliceTooltip tooltip = merged_tooltip(*snapshot.trace, *coarse->merged);
  CHECK(tooltip.title == "100 slices here");
  CHECK(value_of(tooltip, "longest") == "long, 8 ns");
  CHECK(value_of(tooltip, "together") == "503 ns of 1 µs (50 %)");
  CHECK_FALSE(pick(snapshot, layout, {0, 100}, 100, 0, 1.5, y)->merged);  // each wider than a pixel
}

TEST_CASE("slice_words: the launch text of a kernel has stream, grid, block and registers") {
  const auto text = [](std::string_view record) {
    const auto tree = decode_json_record(record);
    REQUIRE(tree.ok());
    return launch_text(tree.value());
  };
  CHECK(text(R"({"name":"k","args":{"stream":7,"grid":[56,2,1],"block":[384,1,1],"registers per thread":168}})") ==
        "stream 7, grid 56 x 2, block 384, 168 registers");
  CHECK(
      text(
          R"({"gridX":8,"gridY":1,"gridZ":1,"blockX":32,"blockY":4,"blockZ":1,"streamId":13,"registersPerThread":40})") ==
      "stream 13, grid 8, block 32 x 4, 40 registers");
  CHECK(text(R"({"name":"step","args":{"stream":7}})").empty());
}
