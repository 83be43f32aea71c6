// When a lane is busy: the union of all its slices, as one row of pieces that do not overlap. Each slice contributes the part that
// no earlier slice has covered, under its own label.
//
//   row 0   A ─────────
//   row 1      B ──  C ─────────        (C overlaps A)
//   pieces  A ─────────C ───────
//
// If all slices nest, the outermost row is its own union row and nothing is stored. Packed lanes have one union row per slot,
// so that their utilisation is the mean over slots. All queries on rows also work on union_rows. Cost: O(n log rows); 20 bytes
// per piece, only for slots with partial overlaps.
#pragma once

#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

/// In the segment's own time and labels.
struct PieceColumns {
  std::vector<Ns> begin, duration;
  std::vector<LabelId> label;

  std::size_t size() const { return begin.size(); }
};

/// True when the first of these rows (one slot, outermost first) covers all the others.
bool first_row_covers(const Trace& trace, std::span<const Row> rows);

/// The union of the rows as pieces in time order.
PieceColumns union_of_rows(const Trace& trace, std::span<const Row> rows);

}  // namespace tv
