// How high a lane's rows are, if the user set no height. Names must be readable, so rows are full wherever that is possible:
//
//   few rows               full, however high the stack becomes: it is scrolled, as elsewhere
//   all fits the window    full
//   narrow slices          compact: for a lane with very many rows, while its slices are too narrow for names anyway. Then it is
//                          a picture of the whole, and five times as much of it is in sight
//   wide slices            full: zooming in on such a lane always leads to names
//
// "Wide" refers to the lane's median slice, so heights depend on the zoom, never on the place: panning and scrolling cannot change
// them, and zooming through the one point where they do keeps the row under the mouse where it is (Workspace::relayout_at).
#pragma once

#include <cstdint>
#include <limits>

#include "core/store/trace/trace.h"

namespace tv {

struct LaneMetrics;

enum class RowSize : std::uint8_t {
  Auto,  ///< as above
  Compact,
  Normal,
  Tall,
};

/// The size after the next press of the key: compact, normal, tall, and again.
RowSize next_size(RowSize shown);

/// The room in which lanes are drawn.
struct RowRoom {
  float height_px = 0;  ///< 0: not known, nothing fits
  double ns_per_px = std::numeric_limits<double>::infinity();
};

struct RowsOfLane {
  std::uint32_t count = 0;
  RowSize asked = RowSize::Auto;
  double typical_ns = 0;  ///< typical_duration of its slices; needed only if there are many rows
};

/// Whether a lane with this many rows may become compact on its own.
bool many_rows(std::uint32_t count, const LaneMetrics& metrics);

/// The size that is shown; never Auto. `all_fit`: with full rows everywhere, all lanes are in sight.
RowSize shown_size(const RowsOfLane& rows, bool all_fit, double ns_per_px, const LaneMetrics& metrics);
/// The height of a row with this size.
float row_height(RowSize shown, std::uint32_t count, const LaneMetrics& metrics);
/// Up to this many ns per pixel slices as long are wide.
double widest_zoom(double typical_ns, const LaneMetrics& metrics);

/// The median of up to a thousand slices of the lane, evenly spread over its rows; at least 1 ns.
double typical_duration(const Trace& trace, const Lane& lane);

/// Heights of all rows, in steps of a key: as many back and forth lead to where one began.
inline constexpr float kMostSteps = 10, kLeastSteps = -8;
float row_scale(float steps);

}  // namespace tv
