#include "core/view/time_axis.h"

#include <algorithm>
#include <cmath>

namespace tv {
namespace {

Ns unit_of(Ns t) {
  const Ns magnitude = t < 0 ? -t : t;
  return magnitude < kMicrosecond   ? 1
         : magnitude < kMillisecond ? kMicrosecond
         : magnitude < kSecond      ? kMillisecond
                                    : kSecond;
}

Ns floor_to(Ns t, Ns step) { return t - ((t % step) + step) % step; }

// What labels count from: 0, or a round time before the view when absolute labels would need more than three
// decimals.
Ns offset_for(const TimeRange& range, Ns step) {
  const Ns latest = std::max(range.end, -range.begin);
  if (unit_of(latest) / step <= 1000) return 0;
  const Ns length = range.length();
  const Ns base_unit = length < kMicrosecond ? kMicrosecond : length < kMillisecond ? kMillisecond : kSecond;
  return floor_to(range.begin, base_unit);
}

}  // namespace

Ns nice_step(double ns) {
  for (Ns decade = 1;; decade *= 10) {
    for (const Ns digit : {1, 2, 5}) {
      if (static_cast<double>(decade * digit) >= ns) return decade * digit;
    }
    if (decade >= 1'000'000'000 * kSecond) return decade;
  }
}

void build_time_axis(const Viewport& view, std::uint32_t width_px, double label_px, TimeAxis& out) {
  const PixelMap map = pixel_map(view, width_px);
  const TimeRange range = range_of(view);
  out.step = nice_step(map.ns_per_px * label_px);
  out.offset_t = offset_for(range, out.step);
  out.offset = out.offset_t == 0 ? std::string() : format_exact(out.offset_t);

  // 5 = 5 * 1, 2 = 4 * 0.5, 1 = 5 * 0.2; below a nanosecond there is nothing.
  Ns parts = 5;
  for (Ns s = out.step; s > 0; s /= 10) {
    if (s == 2) parts = 4;
    if (s % 10 != 0) break;
  }
  const Ns minor = out.step % parts == 0 ? out.step / parts : out.step;

  std::size_t n = 0;
  for (Ns t = floor_to(range.begin, minor); t <= range.end; t += minor) {
    const double x = map.x_of(static_cast<double>(t));
    if (x < 0 || x >= width_px) continue;
    if (n == out.ticks.size()) out.ticks.emplace_back();
    Tick& tick = out.ticks[n++];
    tick.x = x;
    tick.t = t;
    tick.major = t % out.step == 0;
    tick.label.clear();
    if (!tick.major) continue;
    if (out.offset_t != 0) tick.label = '+';
    tick.label += format_time(t - out.offset_t, out.step);
  }
  out.ticks.resize(n);
}

}  // namespace tv
