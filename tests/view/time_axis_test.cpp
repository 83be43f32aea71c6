#include "core/view/time_axis.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string labels(const Viewport& view, std::uint32_t width_px = 1'000, double label_px = 100) {
  TimeAxis axis;
  build_time_axis(view, width_px, label_px, axis);
  std::string out = axis.offset.empty() ? "" : "[" + axis.offset + "] ";
  for (const Tick& tick : axis.ticks) {
    if (tick.major) out += tick.label + "|";
  }
  return out;
}

}  // namespace

TEST_CASE("time_axis: steps are 1, 2 or 5 times a power of ten") {
  CHECK(nice_step(0.3) == 1);
  CHECK(nice_step(1) == 1);
  CHECK(nice_step(1.5) == 2);
  CHECK(nice_step(2.1) == 5);
  CHECK(nice_step(5.1) == 10);
  CHECK(nice_step(123'456) == 200'000);
  CHECK(nice_step(1e30) > 0);
}

TEST_CASE("time_axis: labels in the unit of their time") {
  CHECK(labels({0, 1e9}, 1'000, 250) == "0 ms|500 ms|");
  CHECK(labels({0, 10'000}, 1'000, 200) == "0 µs|2 µs|4 µs|6 µs|8 µs|");
  CHECK(labels({1e9, 1e9}, 1'000, 200) == "1.0 s|1.2 s|1.4 s|1.6 s|1.8 s|");
}

TEST_CASE("time_axis: zoomed in deep, labels count from a round time") {
  CHECK(labels({90e9 + 123'456'000, 3'000'000}, 1'000, 300) == "90.124 s|90.125 s|90.126 s|");
  CHECK(labels({90e9 + 123'456'000, 300'000}, 1'000, 300) == "[90.123 s] +500 µs|+600 µs|+700 µs|");
  CHECK(labels({90e9 + 123'456'000, 300}, 1'000, 300) == "[90.123456 s] +0 ns|+100 ns|+200 ns|");
}

TEST_CASE("time_axis: any view has enough room for its labels, all different, in order, none outside") {
  TimeAxis axis;
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    const double span = std::exp2(random.unit() * 60) + kMinSpanNs;
    const Viewport view{(random.unit() - 0.05) * 1e15 * random.unit(), span};
    const auto width = static_cast<std::uint32_t>(random.in(200, 4'000));
    build_time_axis(view, width, 90, axis);
    CAPTURE(view.begin);
    CAPTURE(span);
    std::set<std::string> seen;
    double last_major = -1e9, last = -1e9;
    for (const Tick& tick : axis.ticks) {
      REQUIRE(tick.x > last);
      REQUIRE(tick.x >= 0);
      REQUIRE(tick.x < width);
      REQUIRE(tick.label.empty() != tick.major);
      last = tick.x;
      if (!tick.major) continue;
      REQUIRE(tick.x - last_major >= 90 - 1e-6);
      last_major = tick.x;
      REQUIRE(tick.label.size() <= 14);
      REQUIRE(seen.insert(tick.label).second);
    }
    REQUIRE(axis.ticks.size() <= width / 90.0 * 5 + 10);
  }
}
