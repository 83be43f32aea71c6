#include "core/view/timeline/time_axis.h"

#include <algorithm>
#include <cmath>

namespace tv {
namespace {

constexpr Ns kMinute = 60 * kSecond, kHour = 60 * kMinute;

Ns unit_of(Ns t) {
  const Ns magnitude = t < 0 ? -t : t;
  return magnitude < kMicrosecond   ? 1
         : magnitude < kMillisecond ? kMicrosecond
         : magnitude < kSecond      ? kMillisecond
                                    : kSecond;
}

Ns floor_to(Ns t, Ns step) { return t - ((t % step) + step) % step; }

// A round step between ticks of a clock, and the number of minor parts in it.
struct ClockStep {
  Ns length, parts;
};
constexpr ClockStep kClockSteps[] = {{kSecond, 5},      {2 * kSecond, 4},  {5 * kSecond, 5},  {10 * kSecond, 5},
                                     {15 * kSecond, 3}, {30 * kSecond, 3}, {kMinute, 4},      {2 * kMinute, 4},
                                     {5 * kMinute, 5},  {10 * kMinute, 5}, {15 * kMinute, 3}, {30 * kMinute, 3},
                                     {kHour, 4},        {2 * kHour, 4},    {3 * kHour, 3},    {6 * kHour, 3},
                                     {12 * kHour, 4}};

// What labels count from: 0, or a round time before the view if labels from 0 would be too long.
Ns offset_for(const TimeRange& shown, Ns step, const TimeStyle& style) {
  const Ns latest = std::max(shown.end, -shown.begin);
  const Ns length = shown.length();
  const Ns base_unit = length < kMicrosecond ? kMicrosecond : length < kMillisecond ? kMillisecond : kSecond;
  if (style.clock && latest >= kSecond) {
    // Days together with decimals need more room than a label has.
    const bool long_label = step < (style.dated() || latest < kDay ? kMillisecond : kSecond);
    return long_label ? floor_to(shown.begin, base_unit) : 0;
  }
  return unit_of(latest) / step <= 1000 ? 0 : floor_to(shown.begin, base_unit);
}

Ns minor_of(Ns step, bool clock) {
  if (clock && step >= kSecond) {
    for (const ClockStep& s : kClockSteps) {
      if (s.length == step) return step / s.parts;
    }
    return step / (step / kDay % 2 == 0 ? 2 : step == kDay ? 4 : 5);
  }
  // Steps of 1 or 5 have 5 parts, steps of 2 have 4; a part is at least 1 ns.
  Ns parts = 5;
  for (Ns s = step; s > 0; s /= 10) {
    if (s == 2) parts = 4;
    if (s % 10 != 0) break;
  }
  return step % parts == 0 ? step / parts : step;
}

void set_corner(const TimeRange& shown, const TimeStyle& style, TimeAxis& out) {
  switch (style.format) {
    case TimeFormat::WallClock:
      out.corner = date_text(shown.begin);
      if (!out.offset.empty()) out.corner += ' ' + out.offset;
      out.corner += ' ' + style.of.substr(0, style.of.find(','));  // only its first part, because there is little room
      return;
    case TimeFormat::SinceStep:
      out.corner = "since " + style.of;
      if (!out.offset.empty()) out.corner += ", " + out.offset;
      return;
    default:
      out.corner = out.offset.empty() ? std::string(name(style.format)) : "from " + out.offset;
      return;
  }
}

void set_label(Tick& tick, const TimeAxis& axis, const TimeStyle& style, bool several_days) {
  const Ns shown = tick.t - style.zero;
  if (axis.offset_t != 0) {
    tick.label = '+';
    tick.label += format_time(shown - axis.offset_t, axis.step);
  } else if (style.dated()) {
    const std::string of_day = clock_text(shown - floor_to(shown, kDay), axis.step, false);
    // Over several days the same hour occurs repeatedly.
    const bool with_day = several_days && axis.step >= kMinute;
    tick.label = shown % kDay == 0 ? date_text(shown)
                 : with_day        ? date_text(shown).substr(5) + ' ' + of_day.substr(0, of_day.size() - 3)
                                   : of_day;
  } else if (style.clock && axis.step >= kDay) {
    tick.label = std::to_string(shown / kDay) + " d";
  } else if (style.clock && (axis.step >= kSecond || shown <= -kSecond || shown >= kSecond)) {
    tick.label = clock_text(shown, axis.step, true);
  } else {
    tick.label = format_time(shown, axis.step);
  }
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

Ns nice_clock_step(double ns) {
  if (ns <= static_cast<double>(kSecond / 2)) return nice_step(ns);
  for (const ClockStep& step : kClockSteps) {
    if (static_cast<double>(step.length) >= ns) return step.length;
  }
  const Ns days = nice_step(ns / static_cast<double>(kDay));
  return std::min<Ns>(days, 50'000) * kDay;
}

void build_time_axis(const Viewport& view, std::uint32_t width_px, double label_px, TimeAxis& out,
                     const TimeStyle& style) {
  const PixelMap map = pixel_map(view, width_px);
  const TimeRange range = range_of(view), shown{range.begin - style.zero, range.end - style.zero};
  const double least = map.ns_per_px * label_px;
  out.step = style.clock ? nice_clock_step(least) : nice_step(least);
  out.offset_t = offset_for(shown, out.step, style);
  out.offset = out.offset_t == 0      ? std::string()
               : style.dated()        ? clock_text(out.offset_t - floor_to(out.offset_t, kDay), unit_of(shown.length()), false)
               : style.clock          ? clock_text(out.offset_t, unit_of(shown.length()), true)
                                      : format_exact(out.offset_t);
  set_corner(shown, style, out);

  const Ns minor = minor_of(out.step, style.clock);
  std::size_t n = 0;
  for (Ns t = floor_to(shown.begin, minor) + style.zero; t <= range.end; t += minor) {
    const double x = map.x_of(static_cast<double>(t));
    if (x < 0 || x >= width_px) continue;
    if (n == out.ticks.size()) out.ticks.emplace_back();
    Tick& tick = out.ticks[n++];
    tick.x = x;
    tick.t = t;
    tick.major = (t - style.zero) % out.step == 0;
    tick.label.clear();
    if (tick.major) set_label(tick, out, style, shown.length() > kDay);
  }
  out.ticks.resize(n);
}

bool ruler_label_fits(const RulerSpan& label, double width_px, std::span<const RulerSpan> written) {
  return label.x0 >= 0 && label.x1 <= width_px &&
         std::ranges::none_of(written, [&](const RulerSpan& other) { return other.x0 < label.x1 && label.x0 < other.x1; });
}

}  // namespace tv
