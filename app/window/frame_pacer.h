// When to draw. An idle window draws nothing at all; after any event it draws 3 frames (ImGui needs two to
// settle, one more for what the second set in motion), without pause while something moves or a key is held and once more after that,
// ten times a second while a job shows its progress. A frame takes no more of what the user did than it can tell apart, so
// the three are counted from the frame that took the last of it: a tap is a press and a release in one instant. Pure arithmetic on the times it is given, in seconds.
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
  bool job_running = false;  ///< something loads: its progress is shown
  bool input_left = false;   ///< the last frame could not take all that the user did
  bool visible = true;       ///< false: minimised, nothing is drawn at all
};

class FramePacer {
 public:
  static constexpr int kFramesAfterWake = 3;
  static constexpr double kJobInterval_s = 0.1;
  /// Without vsync (software GL, remote X) drawing would otherwise take a whole core.
  static constexpr double kShortestInterval_s = 1.0 / 240;
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  /// Input arrived, or a worker thread published something.
  void wake() { frames_left_ = kFramesAfterWake; }
  void drawn(double now, const Activity& activity);

  /// How long to wait for events: 0 when a frame is due, kForever when nothing is going on.
  double wait_s(double now, const Activity& activity) const;
  bool due(double now, const Activity& activity) const { return wait_s(now, activity) <= 0; }

 private:
  int frames_left_ = kFramesAfterWake;  // the first frames of all
  double last_ = -std::numeric_limits<double>::infinity();
};

}  // namespace tv
