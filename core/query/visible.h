// Computes what to draw of a row in a window of time: slices at least a pixel wide become rectangles, all others are folded into
// the pixel columns that they touch. An error here would make the drawing wrong, so this is the contract:
//
//   C1  Nothing vanishes: every slice that touches the window is a rectangle, or a column within 1 px of it
//       is not empty.
//   C2  Nothing is invented: every rectangle is a slice, and every column that is not empty lies within 1 px
//       of a folded slice.
//   C3  The coverage of the columns sums up to the busy time of the folded slices within the window, to float
//       rounding and to one pixel at each edge of the window. No column exceeds 1.
//   C4  A column's label and representative belong to a slice within 1 px of it.
//   C5  Work: at most 16 * (width + 2) * (levels + 1) visits; output: at most width columns and width + 2
//       rectangles.
//
// Zero-length slices and instants are folded too: a column with only these has coverage 0 and a label.
// Cost: a walk down the pyramid; nodes narrower than a pixel are taken whole, nodes outside the window are not opened.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/index/trace_index.h"

namespace tv {

/// Maps pixels to time: column x shows [begin + x * ns_per_px, begin + (x + 1) * ns_per_px).
struct PixelMap {
  double begin = 0;      ///< ns at the left edge
  double ns_per_px = 1;  ///< > 0
  std::uint32_t width = 0;

  double x_of(double t) const { return (t - begin) / ns_per_px; }
  double time_at(double x) const { return begin + x * ns_per_px; }
  double end() const { return time_at(width); }
};

struct VisibleSlice {
  std::uint32_t at;  ///< position in the row
  float x0, x1;      ///< pixels, clipped to [0, width]
  bool clipped_left, clipped_right;
};

struct FoldedColumn {
  float coverage = 0;              ///< 0..1
  float longest = -1;              ///< ns, of `label`'s slice
  LabelId label = kNone<LabelId>;  ///< label of the longest folded slice here; none: the column is empty
  SliceId representative = kNone<SliceId>;    ///< that slice

  bool empty() const { return label == kNone<LabelId>; }
};

/// The content of one line: one or several rows, which are added one by one, in any order. Reused from line to line, so nothing
/// is allocated once it has grown to the window's width.
struct VisibleRow {
  std::vector<VisibleSlice> slices;   ///< those of the row that was added last, in time order
  std::vector<FoldedColumn> columns;  ///< one per pixel of the window
  std::uint32_t folded_columns = 0;   ///< number of columns that are not empty
  std::uint64_t visits = 0;           ///< nodes, slices and whole rows that were read

  /// The columns that are not empty, each once, in the order in which they were filled, except that the rightmost is last. In
  /// most windows they are few, and only they are read or cleared.
  std::span<const std::uint32_t> filled() const { return {filled_.data(), folded_columns}; }
  void clear(std::uint32_t width);
  void add(std::uint32_t x, const FoldedColumn& column) {
    if (folded_columns > 0 && x <= filled_[folded_columns - 1]) return add_out_of_order(x, column);
    columns[x] = column;
    filled_[folded_columns++] = x;
  }

 private:
  // For a column that an earlier row may have filled.
  void add_out_of_order(std::uint32_t x, const FoldedColumn& column);

  std::vector<std::uint32_t> filled_;  // as long as `columns`
};

/// Adds a row to `out`, after clear(map.width). A WholeRow must be narrower than a pixel.
void add_visible(const IndexedRow& row, const PixelMap& map, VisibleRow& out);
void add_visible(const WholeRow& row, const PixelMap& map, VisibleRow& out);
/// Clears `out`, then adds the row.
void visible(const IndexedRow& row, const PixelMap& map, VisibleRow& out);

}  // namespace tv
