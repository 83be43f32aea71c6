#include "core/view/navigation/navigation.h"

#include <algorithm>
#include <cmath>

namespace tv {

double Navigation::Axis::advance(int pressed, double dt_s, bool& tap) {
  tap = pressed != 0 && pressed != direction;
  if (pressed != direction) {
    direction = pressed;
    held_s = 0;
  }
  // In its first frame a press is a tap, because it is unknown how long the key was down.
  if (pressed == 0 || tap) return 0;
  // The distance is the integral of the speed, which grows linearly up to the top speed and then stays constant.
  const auto distance = [](double t) {
    constexpr double kGrowthS = (kTopSpeed - 1) * kAccelerationS;
    const double growing = std::min(t, kGrowthS);
    return growing + growing * growing / (2 * kAccelerationS) + kTopSpeed * (t - growing);
  };
  const double before = held_s;
  held_s += std::max(dt_s, 0.0);
  return distance(held_s) - distance(before);
}

Viewport Navigation::step(const Viewport& view, const HeldKeys& keys, double dt_s, double anchor01,
                          double width_px, TimeRange limits) {
  Viewport next = view;
  const double speed = keys.fast ? kFast : 1;
  bool tap = false;

  const int zoom = static_cast<int>(keys.zoom_out) - static_cast<int>(keys.zoom_in);
  const double zoomed = zoom_.advance(zoom, dt_s, tap) * kZoomPerS * speed;
  if (tap) {
    next = zoom_at(next, anchor01, zoom < 0 ? 1 - kTapZoom : 1 / (1 - kTapZoom), limits);
  } else if (zoomed > 0) {
    next = zoom_at(next, anchor01, std::exp(zoom * zoomed), limits);
  }

  const int direction = static_cast<int>(keys.pan_right) - static_cast<int>(keys.pan_left);
  double panned_px = pan_.advance(direction, dt_s, tap) * kPanPxPerS * speed;
  if (tap) panned_px = kTapPanPx;
  if (panned_px > 0) next = pan(next, direction * panned_px / std::max(width_px, 1.0), limits);
  return next;
}

WheelLock::Turn WheelLock::turn(Turn turned, double now_s) {
  if (turned == Turn{}) return turned;
  if (now_s - last_s_ > kPauseS) horizontal_ = std::abs(turned.horizontal) > std::abs(turned.vertical);
  last_s_ = now_s;
  return horizontal_ ? Turn{0, turned.horizontal} : Turn{turned.vertical, 0};
}

double wheel_zoom_factor(double notches) { return std::exp2(-0.2 * notches); }

}  // namespace tv
