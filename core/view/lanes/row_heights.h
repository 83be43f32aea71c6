// How high a lane's rows are, if the user set no height. Names must be readable, so rows are full wherever that is possible:
//
//   few rows               full, however high the stack is, because it can be scrolled
//   all lanes fit          full
//   narrow slices          compact, for a lane with very many rows: its slices are too narrow for names anyway, and more than
//                          four times as many rows are in sight
//   wide slices            full: zooming in on such a lane always leads to names
//
// "Wide" refers to the lane's median slice, so heights depend on the zoom, never on the position: panning and scrolling cannot
// change them. When zooming changes them, the row under the mouse stays where it is (Workspace::resize_rows).
#pragma once

#include <cstdint>
#include <limits>

#include "core/store/trace/trace.h"

namespace tv {

struct LaneMetrics;

enum class RowSize : std::uint8_t {
  Auto,  ///< chosen as above
  Compact,
  Normal,
  Tall,
};

/// The size after the next press of the key: compact, normal, tall, then compact again.
RowSize next_size(RowSize shown);

/// The space in which lanes are drawn.
struct RowRoom {
  float height_px = 0;  ///< 0: not known; then nothing fits
  double ns_per_px = std::numeric_limits<double>::infinity();
};

struct RowsOfLane {
  std::uint32_t count = 0;
  RowSize asked = RowSize::Auto;  ///< the user's choice
  double typical_ns = 0;  ///< typical_duration of its slices; needed only if there are many rows
};

/// Whether a lane with this many rows may become compact on its own.
bool many_rows(std::uint32_t count, const LaneMetrics& metrics);

/// The size that is shown; never Auto. `all_fit`: all lanes are in sight even with full rows.
RowSize shown_size(const RowsOfLane& rows, bool all_fit, double ns_per_px, const LaneMetrics& metrics);
/// The height of a row of this size.
float row_height(RowSize shown, std::uint32_t count, const LaneMetrics& metrics);
/// Up to this many ns per pixel, slices of this length are wide.
double widest_zoom(double typical_ns, const LaneMetrics& metrics);

/// The median of up to a thousand slices of the lane, evenly spread over its rows; at least 1 ns.
double typical_duration(const Trace& trace, const Lane& lane);

/// The scale of all rows, in key presses: the same number of presses back restores the size.
inline constexpr float kMostSteps = 10, kLeastSteps = -8;
float row_scale(float steps);

}  // namespace tv
