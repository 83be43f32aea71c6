#include "core/view/timeline/measured_spans.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("measured spans: overlapping spans or labels use two lines, and spans out of view are left out") {
  const std::vector<TimeRange> spans = {{0, 300}, {200, 400}, {500, 505}, {540, 900}, {2'000, 3'000}};
  std::vector<SpanBar> bars;
  place_spans(spans, {0, 1'000}, 1'000, 60, bars);
  REQUIRE(bars.size() == 4);
  CHECK(bars[0].line == 0);
  CHECK(bars[1].line == 1);
  CHECK(bars[2].line == 0);
  CHECK(bars[3].line == 1);  // the label of the previous span needs the room
  CHECK(bars[3].span == 3);
  CHECK(bars[3].x0 == doctest::Approx(540));
  place_spans(spans, {1'000, 10}, 1'000, 60, bars);
  CHECK(bars.empty());
}
