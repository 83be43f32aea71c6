#include "core/view/lanes/row_choice.h"

#include <doctest/doctest.h>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("row_choice: row sizes and depth limits apply to a lane, or to all lanes of a group") {
  TraceSketch sketch;
  for (const std::string thread : {"a", "b"}) {
    LaneSpec spec;
    spec.path = {{"p"}, {thread}};
    spec.rule = RowRule::Nest;
    sketch.lane(thread, spec).slice(thread, 0, 100).slice(thread, 10, 50).slice(thread, 20, 10);
  }
  sketch.slice("a", 25, 2);  // a level more than b has
  const auto trace = sketch.build();
  const auto group = id_at<LaneId>(0), a = id_at<LaneId>(1), b = id_at<LaneId>(2);
  LaneState state;
  const LaneMetrics metrics;
  const auto box = [&](LaneId lane) { return LaneLayout(*trace, state, metrics).box_of(lane); };
  CHECK(levels_of(*trace, a) == 4);
  CHECK(levels_of(*trace, group) == 4);
  CHECK(depth_limit(*trace, group, state) == 0);
  set_depth_limit(*trace, group, 2, state);
  CHECK(box(a).line_count == 2);
  CHECK(box(b).line_count == 2);
  CHECK(depth_limit(*trace, b, state) == 2);
  set_depth_limit(*trace, group, 3, state);  // all levels of b
  CHECK(box(a).line_count == 3);
  CHECK(box(b).hidden_lines == 0);
  CHECK(depth_limit(*trace, b, state) == 0);
  set_depth_limit(*trace, group, 0, state);
  CHECK(box(a).line_count == 4);
  CHECK(state.depth_limits.empty());
  set_row_size(*trace, group, RowSize::Tall, state);
  CHECK(box(a).row_height == metrics.tall_row);
  CHECK(box(b).row_size == RowSize::Tall);
  set_row_size(*trace, a, RowSize::Auto, state);
  CHECK(box(a).row_size == RowSize::Normal);
  CHECK(box(b).row_size == RowSize::Tall);
}
