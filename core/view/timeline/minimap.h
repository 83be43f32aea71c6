// The whole trace in one strip, with the visible window and the search hits marked on it. Heights are the mean utilisation over
// the shown lanes, relative to the busiest column.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/index/snapshot.h"
#include "core/query/search/hit_spread.h"
#include "core/view/color/palette.h"
#include "core/view/color/slice_colors.h"
#include "core/view/lanes/lane_layout.h"
#include "core/view/navigation/viewport.h"

namespace tv {

struct Minimap {
  std::vector<Rgba> columns;  ///< one per pixel: colour of the label that fills most; alpha / 255 is the height
  std::vector<bool> hits;      ///< one per pixel: whether a search hit begins there
  float window_x0 = 0, window_x1 = 0;  ///< the visible time, clipped, at least 2 px wide
};

/// The busy range, which the minimap and "fit everything" show with a margin; never empty.
TimeRange shown_extent(const Trace& trace);
/// The range that the view can reach: it includes marks outside of the busy range; never empty.
TimeRange reachable_extent(const Trace& trace);

/// The colour of a filled column, with enough contrast to the minimap's background for graphics (WCAG 2.1, 1.4.11: 3). Slice
/// colours are made for large areas; on white, most are too pale for a strip of 26 pixels.
Rgba minimap_fill(Rgba fill, ThemeKind theme);

/// The stretch of time that the minimap covers: the view after "fit everything".
Viewport minimap_span(const Trace& trace);
/// The overview of the shown lanes. `below`: layout of a second timeline, whose lanes count too. O(lanes shown); once per layout.
Overview overview_of(const Snapshot& snapshot, const LaneLayout& layout, const LaneLayout* below = nullptr);

/// Reuses the capacity of `out`. The busiest column is scaled to the full height, so that a trace of a
/// thousand mostly idle lanes still shows where something happens.
void build_minimap(const Snapshot& snapshot, const Overview& overview, const Palette& palette, const Viewport& view,
                   const HitSpread& hits, std::uint32_t width_px, Minimap& out, const SliceColors* colors = nullptr);
/// The position of a stretch of time on the minimap, clipped, at least 2 px wide.
std::pair<float, float> minimap_window(const Trace& trace, const Viewport& view, std::uint32_t width_px);
/// Converts between time and pixels of the minimap.
double minimap_time(const Trace& trace, double x, std::uint32_t width_px);
double minimap_x(const Trace& trace, double t, std::uint32_t width_px);

/// The part of the minimap's window that the mouse drags. Beside: none of it, so the window is centred on the mouse.
enum class MinimapGrip : std::uint8_t { None, Window, Begin, End, Beside };
MinimapGrip minimap_grip(const Minimap& minimap, double x, double tolerance_px);
/// The window after a drag from one time to another by this grip.
Viewport dragged_window(const Viewport& grabbed, MinimapGrip grip, double from, double to, TimeRange limits);

}  // namespace tv
