// The visible stretch of time, and how it moves. Times are doubles in nanoseconds relative to the trace's
// origin: exact to the nanosecond for 104 days. Everything here is a pure function; the clock comes from
// outside as dt.
#pragma once

#include "core/base/time.h"
#include "core/query/visible.h"

namespace tv {

inline constexpr double kMinSpanNs = 10;        ///< deepest zoom
inline constexpr double kBeyondEnds = 0.05;  ///< how much of the view may lie beyond the trace, at each end
inline constexpr double kFitMargin = 0.05;      ///< margin around the range that `fit` shows
inline constexpr double kSelectionMargin = 0.1; ///< around a range that was selected or gone to

struct Viewport {
  double begin = 0;
  double span = 1;

  double end() const { return begin + span; }
  bool operator==(const Viewport&) const = default;
};

inline PixelMap pixel_map(const Viewport& view, std::uint32_t width_px) {
  return {view.begin, view.span / (width_px > 0 ? width_px : 1), width_px};
}

/// The window as whole nanoseconds, at least as large.
TimeRange range_of(const Viewport& view);

/// Keeps the view within the limits plus kBeyondEnds, and its span between kMinSpanNs and the whole limits. Empty limits count as 1
/// µs.
Viewport clamp(Viewport view, TimeRange limits);
/// Shows the range with a margin on both sides (a share of the range's length).
Viewport fit(TimeRange range, TimeRange limits, double margin = kFitMargin);
/// Shows a range that was selected or gone to, with a tenth of its length on both sides. If the range is wholly in sight and
/// already fills more than that, the view stays. A range without length is centred.
Viewport fit_selected(const Viewport& now, TimeRange range, TimeRange limits);
/// Brings a slice into sight to which the user stepped, searched or followed an arrow. The view moves as little as possible, and
/// zooms in only if the slice would be narrower than `least_spans` of the view. It does not zoom out for a longer slice: the
/// slice's nearer end is brought into sight.
Viewport show_selected(const Viewport& now, TimeRange range, TimeRange limits, double least_spans);
/// The time at anchor01 (0 = left edge, 1 = right) stays where it is; factor < 1 zooms in.
Viewport zoom_at(const Viewport& view, double anchor01, double factor, TimeRange limits);
/// Moves by a share of the span; positive shows later times.
Viewport pan(const Viewport& view, double spans, TimeRange limits);
/// The same span, with t in the middle.
Viewport center_on(const Viewport& view, double t, TimeRange limits);

/// A view on its way to another one. Begin and span approach together, so a zoom keeps its anchor on the way.
struct MovingView {
  Viewport current, target;

  bool moving() const { return !(current == target); }
  void jump(const Viewport& to) { current = target = to; }
  /// One frame: covers 1 - exp(-dt / 60 ms) of the way, and arrives when less than half a pixel is left. True while moving.
  bool step(double dt_s, double width_px);
};

}  // namespace tv
