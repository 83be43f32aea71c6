// The visible stretch of time, and how it moves. Times are doubles in nanoseconds relative to the trace's origin: exact to the
// nanosecond for 104 days. Nothing here reads a clock: dt is passed in.
#pragma once

#include "core/base/time.h"
#include "core/query/visible.h"

namespace tv {

inline constexpr double kMinSpanNs = 10;        ///< deepest zoom
inline constexpr double kBeyondEnds = 0.05;     ///< share of the view that may lie beyond each end of the trace
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

/// The view in whole nanoseconds, rounded outward.
TimeRange range_of(const Viewport& view);

/// Keeps the view within the limits plus kBeyondEnds, and its span between kMinSpanNs and that whole range. Empty limits count as
/// 1 µs.
Viewport clamp(Viewport view, TimeRange limits);
/// Shows the range with a margin on both sides (a share of the range's length).
Viewport fit(TimeRange range, TimeRange limits, double margin = kFitMargin);
/// Shows a range that was selected or gone to, with a tenth of its length on both sides. The view stays if it already shows the
/// whole range at least that large. A range without length is centred.
Viewport fit_selected(const Viewport& now, TimeRange range, TimeRange limits);
/// Brings a slice into sight that the user reached by a step, a search or an arrow. The view stays if the slice is in sight, else
/// is centred on it. It zooms in only if the slice would be narrower than `least_spans` of the view, and never zooms out: of a
/// longer slice, the nearer end is brought into sight.
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
