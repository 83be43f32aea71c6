#include "core/view/navigation/navigation.h"

#include "core/view/navigation/gesture_lock.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tv;

namespace {

constexpr TimeRange kTraceLimits{0, 1'000'000'000'000};
constexpr Viewport kStart{400'000'000, 100'000'000};
constexpr double kWidth = 1'000;

Viewport hold(const HeldKeys& keys, double seconds, double dt) {
  Navigation navigation;
  Viewport view = kStart;
  view = navigation.step(view, keys, dt, 0.5, kWidth, kTraceLimits);
  for (double t = 0; t < seconds - dt / 2; t += dt)
    view = navigation.step(view, keys, dt, 0.5, kWidth, kTraceLimits);
  return view;
}

HeldKeys zoom_in() {
  HeldKeys keys;
  keys.zoom_in = true;
  return keys;
}

HeldKeys pan_right() {
  HeldKeys keys;
  keys.pan_right = true;
  return keys;
}

double panned_px(const Viewport& view) { return (view.begin - kStart.begin) / (kStart.span / kWidth); }

}  // namespace

TEST_CASE("navigation: a tap zooms by 10 % at the mouse") {
  Navigation navigation;
  const Viewport view = navigation.step(kStart, zoom_in(), 0.016, 0.25, kWidth, kTraceLimits);
  CHECK(view.span == doctest::Approx(kStart.span * 0.9));
  CHECK(view.begin + 0.25 * view.span == doctest::Approx(kStart.begin + 0.25 * kStart.span));
  HeldKeys out;
  out.zoom_out = true;
  navigation.step(view, {}, 0.016, 0.25, kWidth, kTraceLimits);
  CHECK(navigation.step(view, out, 0.016, 0.25, kWidth, kTraceLimits).span == doctest::Approx(kStart.span));
}

TEST_CASE("navigation: a tap pans by 50 px") {
  CHECK(panned_px(Navigation().step(kStart, pan_right(), 0.016, 0.5, kWidth, kTraceLimits)) ==
        doctest::Approx(50));
}

TEST_CASE("navigation: a held key accelerates") {
  // Half a second: 50 px of the tap + 480 px/s * (0.5 + 0.5^2 / (2 * 0.05)) s = 1490 px.
  CHECK(panned_px(hold(pan_right(), 0.5, 1.0 / 64)) == doctest::Approx(1'490));
  const double first = panned_px(hold(pan_right(), 0.25, 1.0 / 64)) - 50;
  const double both = panned_px(hold(pan_right(), 0.5, 1.0 / 64)) - 50;
  CHECK(both > 3 * first);
}

TEST_CASE("navigation: a held key zooms ever faster") {
  // Half a second: the tap, then 0.48 e-folds/s * (0.5 + 0.5^2 / (2 * 0.05)) s = 1.44 e-folds.
  CHECK(hold(zoom_in(), 0.5, 1.0 / 64).span == doctest::Approx(kStart.span * 0.9 * std::exp(-1.44)));
}

TEST_CASE("navigation: the frame rate does not matter") {
  for (const HeldKeys& keys : {zoom_in(), pan_right()}) {
    const Viewport slow = hold(keys, 1, 1.0 / 16), fast = hold(keys, 1, 1.0 / 256);
    CHECK(slow.begin == doctest::Approx(fast.begin));
    CHECK(slow.span == doctest::Approx(fast.span));
  }
}

TEST_CASE("navigation: the speed has a maximum") {
  const double one = panned_px(hold(pan_right(), 1, 1.0 / 64)),
               two = panned_px(hold(pan_right(), 1.125, 1.0 / 64));
  CHECK(two - one == doctest::Approx(Navigation::kTopSpeed * Navigation::kPanPxPerS / 8));
}

TEST_CASE("navigation: opposite keys cancel out, release resets a held key, and Shift is faster") {
  Navigation navigation;
  HeldKeys both = pan_right();
  both.pan_left = true;
  CHECK(navigation.step(kStart, both, 0.016, 0.5, kWidth, kTraceLimits) == kStart);
  HeldKeys fast = pan_right();
  fast.fast = true;
  CHECK(panned_px(hold(fast, 0.25, 1.0 / 64)) - 50 ==
        doctest::Approx(Navigation::kFast * (panned_px(hold(pan_right(), 0.25, 1.0 / 64)) - 50)));
  navigation.step(kStart, pan_right(), 0.016, 0.5, kWidth, kTraceLimits);
  navigation.release();
  CHECK(panned_px(navigation.step(kStart, pan_right(), 0.016, 0.5, kWidth, kTraceLimits)) == doctest::Approx(50));
}

TEST_CASE("navigation: without a key nothing moves, not even a view beyond the end of the trace") {
  const TimeRange shorter{0, 1'000'000};
  CHECK(Navigation().step(kStart, {}, 0.016, 0.5, kWidth, shorter) == kStart);
}

TEST_CASE("navigation: turning the wheel back restores the zoom") {
  CHECK(wheel_zoom_factor(3) * wheel_zoom_factor(-3) == doctest::Approx(1));
  CHECK(wheel_zoom_factor(1) < 1);
  CHECK(wheel_zoom_factor(0) == 1);
}

TEST_CASE("wheel lock: a gesture keeps its initial direction until it pauses") {
  WheelLock lock;
  using Turn = WheelLock::Turn;
  CHECK(lock.turn({-1, 0.2}, 1.00) == Turn{-1, 0});
  CHECK(lock.turn({-0.1, 0.6}, 1.05) == Turn{-0.1, 0});  // the fingers drift
  CHECK(lock.turn({0, 0}, 1.10) == Turn{0, 0});
  CHECK(lock.turn({-0.2, 0.9}, 1.20) == Turn{-0.2, 0});
  CHECK(lock.turn({-0.2, 0.9}, 1.45) == Turn{0, 0.9});
  CHECK(lock.turn({-5, 0.9}, 1.50) == Turn{0, 0.9});
  CHECK(lock.turn({1, 0}, 3) == Turn{1, 0});
}

TEST_CASE("wheel lock, gesture lock: both end a gesture after the same pause, and not before") {
  for (const double pause : {WheelLock::kPauseS, std::nextafter(WheelLock::kPauseS, 1.0)}) {
    CAPTURE(pause);
    const bool ends = pause > WheelLock::kPauseS;
    WheelLock wheel;
    GestureLock gesture;
    wheel.turn({-1, 0}, 0);
    gesture.zooms({-0.5, 0}, true, 0);
    CHECK(wheel.turn({0, 1}, pause) == (ends ? WheelLock::Turn{0, 1} : WheelLock::Turn{}));
    CHECK(gesture.zooms({-0.5, 0}, false, pause) == !ends);
  }
}

TEST_CASE("gesture lock: a touchpad zoom continues after Ctrl is released, wheel notches count one by one") {
  GestureLock lock;
  CHECK(lock.zooms({-0.3, 0}, true, 1.00));
  CHECK(lock.zooms({-0.2, 0.1}, false, 1.10));
  CHECK(lock.zooms({-0.1, 0}, false, 1.25));
  CHECK(!lock.zooms({-0.1, 0}, false, 1.50));  // after a pause
  CHECK(!lock.zooms({-0.4, 0}, true, 1.60));   // a scroll does not become a zoom
  CHECK(lock.zooms({1, 0}, true, 1.65));
  CHECK(!lock.zooms({1, 0}, false, 1.70));
}
