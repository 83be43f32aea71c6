#include "core/view/navigation/viewport.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr TimeRange kLimits{0, 1'000'000};

bool inside_limits(const Viewport& view) {
  const double beyond = view.span * kBeyondEnds * 1.0001 + 1e-9;
  return view.begin >= -beyond && view.end() <= static_cast<double>(kLimits.end) * (1 + kBeyondEnds) + beyond;
}

}  // namespace

TEST_CASE("viewport: pixels and times map to each other exactly") {
  const Viewport view{1'700'000'000'123, 2'000};
  const PixelMap map = pixel_map(view, 1'000);
  CHECK(map.x_of(1'700'000'000'123) == 0);
  CHECK(map.x_of(1'700'000'001'123) == 500);
  CHECK(map.time_at(1'000) == 1'700'000'002'123);
  for (int x = 0; x <= 1'000; ++x) CHECK(map.x_of(map.time_at(x)) == doctest::Approx(x).epsilon(1e-9));
}

TEST_CASE("viewport: fit shows the range with its margin") {
  const Viewport view = fit({400'000, 500'000}, kLimits, 0.1);
  CHECK(view.begin == 390'000);
  CHECK(view.span == 120'000);
}

TEST_CASE("viewport: fit handles the whole trace, an empty range and an empty trace") {
  CHECK(fit(kLimits, kLimits).begin == doctest::Approx(-50'000));
  CHECK(fit(kLimits, kLimits).span == doctest::Approx(1'100'000));
  CHECK(fit({500, 500}, kLimits).span == kMinSpanNs);
  CHECK(fit({500, 500}, kLimits).begin == 495);
  CHECK(fit({0, 0}, {0, 0}).span > 0);
}

TEST_CASE("viewport: a zoom keeps the time under the mouse") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    Viewport view{random.unit() * 800'000, random.unit() * 100'000 + 1'000};
    view = clamp(view, kLimits);
    const double anchor = random.unit(), t = view.begin + anchor * view.span;
    const Viewport in = zoom_at(view, anchor, 0.5, kLimits);
    CHECK(in.begin + anchor * in.span == doctest::Approx(t).epsilon(1e-12));
    CHECK(in.span == view.span / 2);
  }
}

TEST_CASE("viewport: no zoom or pan leaves the limits, and zooming in ends at the minimum span") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    Viewport view = fit(kLimits, kLimits);
    for (int i = 0; i < 100; ++i) {
      view = random.chance(0.5) ? zoom_at(view, random.unit(), std::exp2(random.unit() * 6 - 3), kLimits)
                                : pan(view, random.unit() * 4 - 2, kLimits);
      REQUIRE(inside_limits(view));
      REQUIRE(view.span >= kMinSpanNs);
    }
    for (int i = 0; i < 60; ++i) view = zoom_at(view, 0.5, 0.5, kLimits);
    REQUIRE(view.span == kMinSpanNs);
  }
}

TEST_CASE("viewport: at the deepest zoom a further zoom does not drift") {
  const Viewport deepest{1'000, kMinSpanNs};
  CHECK(zoom_at(deepest, 0.2, 0.5, kLimits) == deepest);
}

TEST_CASE("moving view: the view reaches its target at any frame rate") {
  for (const double dt : {1.0 / 30, 1.0 / 60, 1.0 / 144}) {
    MovingView view;
    view.jump({0, 1'000'000});
    view.target = {123'456, 10};
    double seconds = 0;
    while (view.step(dt, 1'920)) {
      seconds += dt;
      REQUIRE(seconds < 3);
    }
    CHECK(view.current == view.target);
  }
}

TEST_CASE("moving view: the view covers 63 % of the way in 60 ms, and its anchor stays in place") {
  MovingView view;
  view.jump({0, 1'000});
  view.target = zoom_at(view.current, 0.25, 0.5, kLimits);
  const double t = 250;
  for (int i = 0; i < 6; ++i) {
    view.step(0.01, 1'000);
    CHECK(view.current.begin + 0.25 * view.current.span == doctest::Approx(t));
  }
  CHECK(1'000 - view.current.span == doctest::Approx(500 * (1 - std::exp(-1.0))));
}

TEST_CASE("moving view: a distance of less than half a pixel counts as arrived") {
  MovingView view;
  view.jump({0, 1'000});
  view.target = {0.4, 1'000};
  CHECK_FALSE(view.step(0, 1'000));
  CHECK(view.current == view.target);
}

TEST_CASE("viewport: a selection is fitted with a margin of a tenth on both sides") {
  CHECK(fit_selected({0, 1'000'000}, {400'000, 500'000}, kLimits) == Viewport{390'000, 120'000});
  // In view and as large as that: nothing moves.
  const Viewport close{399'000, 110'000};
  CHECK(fit_selected(close, {400'000, 500'000}, kLimits) == close);
  // Only partly in view: all of it is shown.
  CHECK(fit_selected({420'000, 1'000}, {400'000, 500'000}, kLimits) == Viewport{390'000, 120'000});
  // A range without length is centred.
  CHECK(fit_selected({0, 100'000}, {400'000, 400'000}, kLimits) == Viewport{350'000, 100'000});
}

TEST_CASE("viewport: fitting shows the whole range, and never zooms out if it is in view already") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    for (int i = 0; i < 50; ++i) {
      const auto at = [&] { return random.in(kLimits.begin, kLimits.end); };
      const Ns a = at(), b = at(), begin = std::min(a, b), end = std::max(a, b) + 1;
      const Viewport now = clamp({static_cast<double>(at()), std::exp2(random.unit() * 30)}, kLimits);
      const Viewport then = fit_selected(now, {begin, end}, kLimits);
      REQUIRE(inside_limits(then));
      REQUIRE(then.begin <= static_cast<double>(begin));
      REQUIRE(then.end() >= static_cast<double>(end));
      const bool in_sight = now.begin <= static_cast<double>(begin) && now.end() >= static_cast<double>(end);
      if (in_sight) REQUIRE(then.span <= now.span);
      const Viewport again = fit_selected(then, {begin, end}, kLimits);
      REQUIRE(again.begin == doctest::Approx(then.begin));
      REQUIRE(again.span == doctest::Approx(then.span));
    }
  }
}

TEST_CASE("viewport: stepping to a slice brings it into view without zooming out") {
  constexpr double kLeast = 0.01;
  const Viewport now{100'000, 100'000};
  CHECK(show_selected(now, {120'000, 150'000}, kLimits, kLeast) == now);
  CHECK(show_selected(now, {300'000, 320'000}, kLimits, kLeast) == Viewport{260'000, 100'000});
  CHECK(show_selected(now, {120'000, 120'100}, kLimits, kLeast) == fit({120'000, 120'100}, kLimits, kSelectionMargin));
  CHECK(show_selected(now, {120'000, 120'100}, kLimits, 0) == now);
  CHECK(show_selected(now, {150'000, 150'000}, kLimits, kLeast) == now);  // an instant
  // Longer than the view: a visible part is enough, else the nearer end is shown.
  CHECK(show_selected(now, {150'000, 900'000}, kLimits, kLeast) == now);
  CHECK(show_selected(now, {400'000, 900'000}, kLimits, kLeast) == Viewport{390'000, 100'000});
  CHECK(show_selected({700'000, 100'000}, {100'000, 500'000}, kLimits, kLeast) == Viewport{410'000, 100'000});
}
