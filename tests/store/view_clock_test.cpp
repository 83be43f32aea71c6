// Where segments lie on a view's clock.
#include "core/store/clock/view_clock.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr Ns kWall = 1'752'000'000 * kSecond;

ClockedSource lying(Ns begin, Ns length, Ns manual_offset = 0) {
  ClockedSource one;
  one.extent = one.work = BuiltRange::of({begin, begin + length});
  one.wall_clock = begin >= kYear2001;
  one.manual_offset = manual_offset;
  return one;
}

ClockedSource random_source(Random& random) {
  const bool wall = random.chance(0.7);
  ClockedSource one = lying((wall ? kWall : 0) + random.in(0, 199) * kSecond, random.in(1, 30) * kSecond);
  if (random.chance(0.3)) one.manual_offset = random.in(-10, 9) * kSecond;
  if (wall && random.chance(0.3)) one.fitted = random.in(-500, 499);
  if (random.chance(0.2)) one.run = "run " + std::to_string(random.in(0, 1));
  if (wall && random.chance(0.2)) one.process = "process " + std::to_string(random.in(0, 1));
  return one;
}

Ns all_of(const ClockedSource& one, const ViewClock::Shift& shift) { return one.manual_offset + one.fitted + shift.to_wall + shift.aligned.by; }

constexpr AlignChoice kAlignChoices[] = {Align::Recorded, Align::Zero, Align::Fold, std::nullopt};

}  // namespace

TEST_CASE("view_clock: a source without wall clock begins with the first that has one, and is moved by hand from there") {
  const ViewClock clock = view_clock({{lying(kWall + kSecond, kSecond)}, {lying(5, kSecond, 7)}, {}, {lying(kWall, kSecond, -3)}}, Align::Recorded);
  CHECK(clock.of_segment == std::vector<ViewClock::Shift>{{}, {kWall - 3 - 5, {}}, {}, {}});
  CHECK(view_clock({{lying(5, 1)}, {lying(500, 1)}}, Align::Recorded).of_segment == std::vector<ViewClock::Shift>{{}, {}});
}

TEST_CASE("view_clock: sources of a segment that would move apart move as one") {
  const auto shifts = [](const std::vector<ClockedSegment>& segments, AlignChoice align) { return view_clock(segments, align).of_segment; };
  const ViewClock::Shift to_wall{kWall - 5, {}}, none;
  CHECK(shifts({{lying(5, 1), lying(9, 1)}, {lying(kWall, 1)}}, Align::Recorded) == std::vector{to_wall, none});
  CHECK(shifts({{lying(5, 1), lying(kWall, 1)}}, Align::Recorded) == std::vector{none});
  // Two windows in one segment, more than a day apart.
  CHECK(shifts({{lying(kWall, kSecond), lying(kWall + 100'000 * kSecond, kSecond)}}, Align::Fold) == std::vector{none});
}

TEST_CASE("view_clock: windows of one process without wall clock keep the time between them") {
  ClockedSource first = lying(5 * kSecond, kSecond), second = lying(9 * kSecond, kSecond);
  first.process = second.process = "one";
  const ViewClock clock = view_clock({{second}, {lying(kWall, kSecond)}, {first}, {lying(7, 1)}}, Align::Recorded);
  const ViewClock::Shift together{kWall - 5 * kSecond, {}};
  CHECK(clock.of_segment == std::vector<ViewClock::Shift>{together, {}, together, {kWall - 7, {}}});
}

TEST_CASE("view_clock: times too far apart for a clock are not aligned") {
  const ClockedSource far = lying(Ns{1} << 61, kSecond);
  const ViewClock clock = view_clock({{far}, {lying(-(Ns{1} << 61), kSecond)}}, Align::Zero);
  CHECK(clock.align == Align::Recorded);
  CHECK(clock.of_segment == std::vector<ViewClock::Shift>{{}, {}});
}

TEST_CASE("view_clock: segments lie where each source alone would if possible, and stay there when placed again") {
  std::size_t apart = 0, together = 0;
  for (const std::uint64_t seed : seeds(500)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<ClockedSegment> segments(static_cast<std::size_t>(random.in(1, 5))), each;
    for (ClockedSegment& segment : segments) {
      for (std::int64_t n = random.in(0, 2); n-- > 0;) segment.push_back(random_source(random));
      for (const ClockedSource& one : segment) each.push_back({one});
    }
    for (const AlignChoice choice : kAlignChoices) {
      const ViewClock clock = view_clock(segments, choice), alone = view_clock(each, choice);
      REQUIRE(clock.of_segment.size() == segments.size());
      bool can = true, same = true;
      std::size_t s = 0;
      for (std::size_t g = 0; g < segments.size(); ++g) {
        const std::size_t first = s;
        for (std::size_t of = 0; of < segments[g].size(); ++of, ++s) {
          can &= alone.of_segment[s] == alone.of_segment[first];
          same &= alone.of_segment[s] == clock.of_segment[g];
        }
      }
      if (can) CHECK(same);
      (can ? together : apart) += segments.size() > 1;
      // With the shifts built into their times, as in a finished segment, nothing moves. Aligned runs begin at 0, on no wall clock.
      if (!can || clock.align != Align::Recorded) continue;
      std::vector<ClockedSegment> made = segments;
      for (std::size_t g = 0; g < made.size(); ++g) {
        for (ClockedSource& one : made[g]) {
          const Ns by = all_of(one, clock.of_segment[g]) - one.manual_offset;
          one.extent = one.extent + by;
          one.work = one.extent;
          one.fitted = 0;
        }
      }
      const ViewClock again = view_clock(made, choice);
      CHECK(again.of_segment == std::vector<ViewClock::Shift>(made.size()));
    }
  }
  CHECK(apart > 20);
  CHECK(together > 20);
}
