// Decides when to draw. An idle window draws nothing at all. After any event the window draws 3 frames: ImGui needs two to settle,
// and the third shows what the second set in motion. While something moves or a key is held, the window draws continuously, and one
// more frame afterwards. While a job shows its progress, it draws ten times a second. A frame may leave input for the next one
// (input_queue.h), so the 3 frames count from the one that takes the last input. Pure arithmetic on the given times, in seconds.
//
//   while (running) {
//     if (window.wait(pacer.wait_s(now(), activity))) pacer.wake();
//     if (pacer.due(now(), activity)) { draw; pacer.drawn(now(), activity); }
//   }
#pragma once

#include <limits>

namespace tv {

struct Activity {
  bool animating = false;    ///< the view glides, a key is held, a toast fades
  bool job_running = false;  ///< a job shows its progress
  bool input_left = false;   ///< the last frame could not take all input
  bool visible = true;       ///< false if minimised: nothing is drawn
};

class FramePacer {
 public:
  static constexpr int kFramesAfterWake = 3;
  static constexpr double kJobInterval_s = 0.1;
  /// Without this limit, drawing would occupy a whole core where there is no vsync (software GL, remote X).
  static constexpr double kShortestInterval_s = 1.0 / 240;
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  /// Input arrived, or a worker thread published something.
  void wake() { frames_left_ = kFramesAfterWake; }
  void drawn(double now, const Activity& activity);

  /// How long to wait for events: 0 if a frame is due, kForever if nothing is going on.
  double wait_s(double now, const Activity& activity) const;
  bool due(double now, const Activity& activity) const { return wait_s(now, activity) <= 0; }

 private:
  int frames_left_ = kFramesAfterWake;  // initially for the first frames of the window
  double last_drawn_ = -std::numeric_limits<double>::infinity();
};

}  // namespace tv
