#include "core/view/timeline/measured_spans.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

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

TEST_CASE("measured spans: each takes the first line on which it overlaps no earlier one") {
  constexpr double kLabel = 12;
  for (const std::uint64_t seed : seeds(50)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<TimeRange> spans;
    for (std::int64_t n = random.in(0, 60); n > 0; --n) {
      const Ns begin = random.in(-100, 1'100);
      spans.push_back({begin, begin + random.in(1, seed % 2 == 0 ? 30 : 900)});
    }
    std::ranges::sort(spans, {}, [](const TimeRange& span) { return std::pair(span.begin, span.end); });
    std::vector<SpanBar> bars;
    place_spans(spans, {0, 1'000}, 1'000, kLabel, bars);
    const auto overlap = [](const SpanBar& a, const SpanBar& b) {
      return std::max(a.x1, a.x0 + kLabel) > b.x0 && std::max(b.x1, b.x0 + kLabel) > a.x0;
    };
    for (std::size_t b = 0; b < bars.size(); ++b) {
      std::vector<bool> used(bars.size() + 1, false);
      for (std::size_t earlier = 0; earlier < b; ++earlier) {
        if (overlap(bars[earlier], bars[b])) used[bars[earlier].line] = true;
      }
      CHECK(bars[b].line == static_cast<std::uint32_t>(std::ranges::find(used, false) - used.begin()));
    }
  }
}
