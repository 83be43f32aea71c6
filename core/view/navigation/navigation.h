// W/S/A/D and the wheel: converts the time that a key is held into the distance that the view moves. A tap zooms by 10 % or pans
// by 50 px; a held key starts at 0.8 % or 8 px per 1/60 s and gains that speed again every 50 ms (as in Perfetto), up to
// kTopSpeed. Rates are per second and integrated over dt, so the frame rate does not matter.
#pragma once

#include "core/view/navigation/viewport.h"

namespace tv {

/// Which keys are down in this frame. Opposite keys cancel out.
struct HeldKeys {
  bool zoom_in = false, zoom_out = false, pan_left = false, pan_right = false;
  bool fast = false;  ///< Shift: three times as fast

  bool any() const { return zoom_in || zoom_out || pan_left || pan_right; }
};

class Navigation {
 public:
  static constexpr double kTapZoom = 0.10;
  static constexpr double kTapPanPx = 50;
  static constexpr double kZoomPerS = 0.48;   ///< e-folds: 0.8 % per frame at 60 Hz
  static constexpr double kPanPxPerS = 480;
  static constexpr double kAccelerationS = 0.05;
  static constexpr double kTopSpeed = 16;     ///< times the starting speed
  static constexpr double kFast = 3;

  /// One frame: the view to move to. `anchor01` is the mouse's position in the view (0.5 if it is elsewhere).
  Viewport step(const Viewport& view, const HeldKeys& keys, double dt_s, double anchor01, double width_px,
                TimeRange limits);
  /// Call when other code gets the keys (focus lost, text box): the next press is a new one.
  void release() { *this = {}; }

 private:
  // One axis of movement. advance() returns the distance of this frame, in seconds at the starting speed; it sets `tap` in the frame
  // of the press, whose distance is 0.
  struct Axis {
    int direction = 0;
    double held_s = 0;
    double advance(int pressed, double dt_s, bool& tap);
  };
  Axis zoom_, pan_;
};

/// Zoom factor for a wheel movement, in notches (fractions for touchpads); away from the user zooms in. Equal turns there and
/// back cancel out.
double wheel_zoom_factor(double notches);

/// A touchpad turns both wheels at once: a gesture keeps its first direction until it pauses.
class WheelLock {
 public:
  static constexpr double kPauseS = 0.2;

  struct Turn {
    double vertical = 0, horizontal = 0;
    bool operator==(const Turn&) const = default;
  };
  /// The part of a turn that counts. `now_s`: seconds of any monotonic clock.
  Turn turn(Turn turned, double now_s);

 private:
  double last_s_ = -1e9;
  bool horizontal_ = false;
};

}  // namespace tv
