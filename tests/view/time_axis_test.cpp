#include "core/view/timeline/time_axis.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string labels(const Viewport& view, std::uint32_t width_px = 1'000, double label_px = 100, const TimeStyle& style = {}) {
  TimeAxis axis;
  build_time_axis(view, width_px, label_px, axis, style);
  std::string out = axis.offset.empty() ? "" : "[" + axis.offset + "] ";
  for (const Tick& tick : axis.ticks) {
    if (tick.major) out += tick.label + "|";
  }
  return out;
}

constexpr double kS = 1e9;

TimeStyle clock_style() {
  TimeStyle style;
  style.clock = true;
  return style;
}

// Time 0 is 2025-07-13 14:03:22.
TimeStyle wall_style() {
  TimeStyle style;
  style.format = TimeFormat::WallClock;
  style.clock = true;
  style.zero = -1'752'415'402 * kSecond;
  style.of = "UTC";
  return style;
}

}  // namespace

TEST_CASE("time_axis: clock ticks are at steps that divide hours, minutes and seconds") {
  CHECK(labels({0, 60 * kS}, 1'000, 200, clock_style()) == "0:00:00|0:00:15|0:00:30|0:00:45|");
  CHECK(labels({3'590 * kS, 60 * kS}, 1'000, 450, clock_style()) == "1:00:00|1:00:30|");
  CHECK(labels({0, 14'000 * kS}, 1'000, 200, clock_style()) == "0:00:00|1:00:00|2:00:00|3:00:00|");
  CHECK(labels({80'000 * kS, 20'000 * kS}, 1'000, 400, clock_style()) == "1d 00:00:00|1d 03:00:00|");
  CHECK(labels({0, 30 * 86'400 * kS}, 1'000, 300, clock_style()) == "0 d|10 d|20 d|");
  CHECK(labels({0, 1 * kS}, 1'000, 400, clock_style()) == "0 ms|500 ms|");
  CHECK(labels({3'723 * kS, 1 * kS}, 1'000, 400, clock_style()) == "1:02:03.0|1:02:03.5|");
  CHECK(labels({3'723 * kS, 1e5}, 1'000, 500, clock_style()) == "[1:02:03.000000] +0 µs|+50 µs|");
}

TEST_CASE("time_axis: a wall clock marks midnight with the date") {
  CHECK(labels({0, 60 * kS}, 1'000, 200, wall_style()) == "14:03:30|14:03:45|14:04:00|14:04:15|");
  CHECK(labels({9 * 3'600 * kS, 2 * 3'600 * kS}, 1'000, 400, wall_style()) == "2025-07-14|1:00:00|");
  CHECK(labels({0, 2 * 86'400 * kS}, 1'000, 240, wall_style()) == "2025-07-14|07-14 12:00|2025-07-15|07-15 12:00|");
  CHECK(labels({0, 4 * 86'400 * kS}, 1'000, 200, wall_style()) == "2025-07-14|2025-07-15|2025-07-16|2025-07-17|");
  TimeAxis axis;
  build_time_axis({0, 60 * kS}, 1'000, 200, axis, wall_style());
  CHECK(axis.corner == "2025-07-13 UTC");
}

TEST_CASE("time_axis: ticks lie on round times since the step's begin") {
  TimeStyle style;
  style.format = TimeFormat::SinceStep;
  style.zero = 7 * kSecond + 123 * kMillisecond;
  style.of = "step 3";
  CHECK(labels({5 * kS, 10 * kS}, 1'000, 300, style) == "0 s|5 s|");
  TimeAxis axis;
  build_time_axis({5 * kS, 10 * kS}, 1'000, 300, axis, style);
  CHECK(axis.corner == "since step 3");
}

TEST_CASE("time_axis: steps are 1, 2 or 5 times a power of ten") {
  CHECK(nice_step(0.3) == 1);
  CHECK(nice_step(1) == 1);
  CHECK(nice_step(1.5) == 2);
  CHECK(nice_step(2.1) == 5);
  CHECK(nice_step(5.1) == 10);
  CHECK(nice_step(123'456) == 200'000);
  CHECK(nice_step(1e30) > 0);
}

TEST_CASE("time_axis: labels have a unit that suits the view") {
  CHECK(labels({0, 1e9}, 1'000, 250) == "0 ms|500 ms|");
  CHECK(labels({0, 10'000}, 1'000, 200) == "0 µs|2 µs|4 µs|6 µs|8 µs|");
  CHECK(labels({1e9, 1e9}, 1'000, 200) == "1.0 s|1.2 s|1.4 s|1.6 s|1.8 s|");
}

TEST_CASE("time_axis: zoomed in deep, labels count from a round time") {
  CHECK(labels({90e9 + 123'456'000, 3'000'000}, 1'000, 300) == "90.124 s|90.125 s|90.126 s|");
  CHECK(labels({90e9 + 123'456'000, 300'000}, 1'000, 300) == "[90.123 s] +500 µs|+600 µs|+700 µs|");
  CHECK(labels({90e9 + 123'456'000, 300}, 1'000, 300) == "[90.123456 s] +0 ns|+100 ns|+200 ns|");
}

TEST_CASE("time_axis: labels of any view are inside it, in order, distinct and far enough apart") {
  TimeAxis axis;
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    const double span = std::exp2(random.unit() * 60) + kMinSpanNs;
    const Viewport view{(random.unit() - 0.05) * 1e15 * random.unit(), span};
    const auto width = static_cast<std::uint32_t>(random.in(200, 4'000));
    TimeStyle style = random.chance(0.3) ? wall_style() : clock_style();
    style.clock = style.dated() || random.chance(0.5);
    if (!style.dated() && random.chance(0.3)) style.zero = static_cast<Ns>(random.unit() * 1e13);
    build_time_axis(view, width, 90, axis, style);
    CAPTURE(view.begin);
    CAPTURE(span);
    CAPTURE(style.clock);
    CAPTURE(style.zero);
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
      REQUIRE((tick.t - style.zero) % axis.step == 0);
      last_major = tick.x;
      REQUIRE(tick.label.size() <= 14);
      REQUIRE(seen.insert(tick.label).second);
    }
    REQUIRE(axis.ticks.size() <= width / 90.0 * 5 + 10);
  }
}

TEST_CASE("time axis: a ruler label fits if all of it is in view and it overlaps no other") {
  const std::vector<RulerSpan> written = {{300, 380}};
  CHECK(ruler_label_fits({0, 60}, 1000, written));
  CHECK(ruler_label_fits({240, 300}, 1000, written));
  CHECK(ruler_label_fits({380, 440}, 1000, written));
  CHECK(ruler_label_fits({940, 1000}, 1000, written));
  CHECK(!ruler_label_fits({250, 310}, 1000, written));
  CHECK(!ruler_label_fits({320, 340}, 1000, written));
  CHECK(!ruler_label_fits({370, 430}, 1000, written));
  CHECK(!ruler_label_fits({950, 1001}, 1000, written));
  CHECK(!ruler_label_fits({-1, 30}, 1000, {}));
}
