#include "app/window/frame_pacer.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tv;

namespace {

constexpr Activity kIdle{};
constexpr Activity kAnimating{.animating = true};
constexpr Activity kLoading{.job_running = true};

/// Runs a pacer as the main loop does, on a clock that jumps over every wait. Frames take no time.
int frames_within(FramePacer& pacer, double from, double until, const Activity& activity) {
  int frames = 0;
  for (double now = from; now < until;) {
    const double wait = pacer.wait_s(now, activity);
    if (std::isinf(wait)) break;
    now += wait;
    if (now >= until) break;
    if (pacer.due(now, activity)) {
      pacer.drawn(now, activity);
      ++frames;
    }
  }
  return frames;
}

}  // namespace

TEST_CASE("pacer: three frames at the start, then none while nothing happens") {
  FramePacer pacer;
  CHECK(frames_within(pacer, 0, 100, kIdle) == 3);
  CHECK(std::isinf(pacer.wait_s(100, kIdle)));
  CHECK(!pacer.due(1e9, kIdle));
}

TEST_CASE("pacer: three frames after each wake, counted from the last one") {
  FramePacer pacer;
  frames_within(pacer, 0, 1, kIdle);
  pacer.wake();
  CHECK(pacer.due(1, kIdle));
  pacer.drawn(1, kIdle);
  pacer.wake();
  CHECK(frames_within(pacer, 2, 100, kIdle) == 3);
}

TEST_CASE("pacer: an animation that ends between two frames is followed by one more frame") {
  FramePacer pacer;
  frames_within(pacer, 0, 1, kIdle);
  pacer.drawn(1, kAnimating);  // such as a drag over the window, whose end is never reported
  CHECK(frames_within(pacer, 2, 100, kIdle) == 1);
}

TEST_CASE("pacer: the three frames after a wake count from the one that takes the last queued input") {
  FramePacer pacer;
  frames_within(pacer, 0, 1, kIdle);
  pacer.wake();  // a move, a press and a release at once: a frame each
  constexpr Activity kLeft{.input_left = true};
  pacer.drawn(1, kIdle);
  pacer.drawn(1.1, kLeft);
  pacer.drawn(1.2, kLeft);  // took the release; what it did is seen in the next frame
  CHECK(frames_within(pacer, 2, 100, kIdle) == 2);
  frames_within(pacer, 100, 101, kIdle);
  CHECK(pacer.due(200, kLeft));
}

TEST_CASE("pacer: an animation is drawn without pause, but no faster than a screen can show") {
  FramePacer pacer;
  const int frames = frames_within(pacer, 0, 1, kAnimating);
  CHECK(frames >= 200);
  CHECK(frames <= 241);
  CHECK(frames_within(pacer, 1, 2, kIdle) == 1);  // the three of the start are among them; one shows that nothing moves any more
}

TEST_CASE("pacer: a running job is drawn ten times a second") {
  FramePacer pacer;
  frames_within(pacer, 0, 1, kIdle);
  const int frames = frames_within(pacer, 1, 11, kLoading);
  CHECK(frames >= 99);
  CHECK(frames <= 101);
}

TEST_CASE("pacer: input during a job is answered at once") {
  FramePacer pacer;
  frames_within(pacer, 0, 1, kIdle);
  pacer.drawn(1, kIdle);
  CHECK(pacer.wait_s(1.02, kLoading) == doctest::Approx(0.08));
  pacer.wake();
  CHECK(pacer.wait_s(1.02, kLoading) == 0);
}

TEST_CASE("pacer: a minimised window draws nothing, and catches up when it is back") {
  FramePacer pacer;
  const Activity hidden{.animating = true, .job_running = true, .visible = false};
  pacer.wake();
  CHECK(!pacer.due(5, hidden));
  CHECK(std::isinf(pacer.wait_s(5, hidden)));
  CHECK(pacer.due(6, kIdle));
}
