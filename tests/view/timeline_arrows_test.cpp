#include <doctest/doctest.h>

#include <vector>

#include "tests/view/frame_scene.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("timeline_frame: a selected slice shows its outgoing and incoming arrows") {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest).lane("gpu", RowRule::Nest);
  sketch.slice("cpu", 100, 100, "launch").slice("gpu", 500, 100, "kernel").slice("gpu", 999, 1, "end");
  sketch.slice("cpu", 0, 1, "begin");
  sketch.flow("cpu", FlowPoint::Kind::Start, 150, "1").flow("gpu", FlowPoint::Kind::End, 500, "1");
  FrameScene scene(sketch);
  CHECK(scene.draw({0, 1'000}).arrows.empty());
  for (const char* selected : {"launch", "kernel"}) {
    scene.params.selected = scene.find(selected);
    const TimelineFrame& frame = scene.draw({0, 1'000});
    REQUIRE(frame.arrows.size() == 1);
    CHECK(frame.arrows[0].x0 == 20);
    CHECK(frame.arrows[0].x1 == 50);
    CHECK(frame.arrows[0].y0 == 20 + 18);  // from the lower edge of one row to the upper edge of the other
    CHECK(frame.arrows[0].y1 == 20 + 18);
    CHECK(frame.arrows[0].down);
    CHECK(frame.arrows[0].from == scene.find("launch"));
  }
  // The arrow leads to its other end, even off the screen.
  const TimelineFrame& frame = scene.draw({0, 300});
  REQUIRE(frame.arrows.size() == 1);
  CHECK(frame.arrows[0].x1 == doctest::Approx(500.0 / 3));
  CHECK(scene.draw({300, 100}).arrows.size() == 1);  // between its two ends, the arrow passes through
  CHECK(scene.draw({0, 50}).arrows.empty());
  scene.draw({0, 1'000});
  // In a collapsed lane, the arrow ends at the summary.
  scene.collapse(2);
  scene.draw({0, 1'000});
  REQUIRE(frame.arrows.size() == 1);
  CHECK(frame.arrows[0].y1 == 20 + 18);
}

TEST_CASE("timeline_frame: an upward arrow, and one within a row, begin and end at row edges") {
  TraceSketch sketch;
  sketch.lane("a gpu", RowRule::Nest).lane("cpu", RowRule::Nest);
  sketch.slice("cpu", 100, 100, "launch").slice("a gpu", 500, 100, "kernel").slice("a gpu", 700, 100, "next");
  sketch.slice("cpu", 0, 1, "begin").slice("a gpu", 999, 1, "end");
  FrameScene scene(sketch);
  const std::vector<Flow> arrows = {{scene.find("launch"), scene.find("kernel")}, {scene.find("kernel"), scene.find("next")}};
  scene.params.selected = scene.find("kernel");
  scene.params.arrows = arrows;
  const TimelineFrame& frame = scene.draw({0, 1'000});
  REQUIRE(frame.arrows.size() == 2);
  CHECK_FALSE(frame.arrows[0].down);
  CHECK(frame.arrows[0].y0 == 20 + 18);  // the upper edge of the lower row
  CHECK(frame.arrows[0].y1 == 20 + 18);
  CHECK(frame.arrows[1].down);
  CHECK(frame.arrows[1].y0 == 20);
  CHECK(frame.arrows[1].y1 == 20);
}

TEST_CASE("timeline_frame: a derived arrow is drawn where the later slice begins") {
  TraceSketch sketch;
  sketch.lane("rank 0", RowRule::Nest).lane("rank 1", RowRule::Nest);
  sketch.slice("rank 0", 100, 500, "early").slice("rank 1", 500, 100, "late").slice("rank 1", 999, 1, "end");
  sketch.slice("rank 0", 0, 1, "begin");
  FrameScene scene(sketch);
  const std::vector<Flow> arrows = {{scene.find("early"), scene.find("late")}};
  scene.params.selected = scene.find("early");
  scene.params.arrows = arrows;
  const TimelineFrame& frame = scene.draw({0, 1'000});
  REQUIRE(frame.arrows.size() == 1);
  CHECK(frame.arrows[0].x0 == 50);  // when the late one begins
  CHECK(frame.arrows[0].x1 == 50);
}
