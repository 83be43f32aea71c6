// Keeps the meaning of a touchpad gesture from begin to end. A gesture, which turns by fractions of a notch, may go on after Ctrl is
// released; without this class, the end of a zoom would scroll. A mouse wheel turns by whole notches, each of which counts alone.
#pragma once

#include <cmath>

#include "core/view/navigation/navigation.h"

namespace tv {

class GestureLock {
 public:
  /// Whether a turn zooms. `ctrl`: the key is down now; `now_s`: seconds of any monotonic clock.
  bool zooms(const WheelLock::Turn& turned, bool ctrl, double now_s) {
    const bool whole =
        turned.vertical == std::round(turned.vertical) && turned.horizontal == std::round(turned.horizontal);
    if (whole || now_s - last_s_ > WheelLock::kPauseS) zooms_ = ctrl;
    last_s_ = now_s;
    return zooms_;
  }

 private:
  double last_s_ = -1e9;
  bool zooms_ = false;
};

}  // namespace tv
