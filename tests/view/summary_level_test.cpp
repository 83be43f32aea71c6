// The level that gives a folded lane its colours.
#include "core/view/timeline/summary_level.h"

#include <doctest/doctest.h>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

std::uint32_t level_of(const TraceSketch& sketch) {
  const Snapshot snapshot = snapshot_of(sketch.build());
  const auto lane = std::ranges::find_if(snapshot.trace->lanes, [](const Lane& l) { return l.row_count > 0; });
  return summary_level(*snapshot.trace, *snapshot.index, id_at<LaneId>(static_cast<std::size_t>(lane - snapshot.trace->lanes.begin())));
}

}  // namespace

TEST_CASE("summary_level: levels of one slice or of steps are skipped if the next level covers them") {
  TraceSketch steps;
  for (int s = 0; s < 100; ++s) {
    steps.slice("t", s * 100, 100, "ProfilerStep#" + std::to_string(s), {}, "user_annotation");
    for (int part = 0; part < 4; ++part) steps.slice("t", s * 100 + part * 25, 20, "part " + std::to_string(part));
  }
  CHECK(level_of(steps) == 1);
  TraceSketch stack;
  for (int depth = 0; depth < 5; ++depth) stack.slice("t", depth, 1'000 - 2 * depth, "frame " + std::to_string(depth));
  for (int call = 0; call < 40; ++call) stack.slice("t", 10 + call * 20, 20, "call " + std::to_string(call));
  CHECK(level_of(stack) == 5);
}

TEST_CASE("summary_level: the outermost level is used if it is informative or nothing else covers it") {
  TraceSketch calls;
  for (int call = 0; call < 40; ++call) calls.slice("t", call * 20, 20, "call").slice("t", call * 20, 19, "inner");
  CHECK(level_of(calls) == 0);
  TraceSketch bare;
  bare.slice("t", 0, 1'000, "main").slice("t", 10, 100, "once");
  CHECK(level_of(bare) == 0);
  TraceSketch packed;
  packed.lane("t", RowRule::Pack, LaneKind::Requests);
  for (int r = 0; r < 5; ++r) packed.slice("t", r, 1'000, "request", std::to_string(r)).slice("t", r, 900, "turn", std::to_string(r));
  CHECK(level_of(packed) == 0);
}
