// The union of a lane's slices: one row of pieces that do not overlap, which shows when the lane is busy. Each slice contributes
// the part that no earlier slice covers, with its own label.
//
//   row 0   A ─────────
//   row 1      B ──  C ─────────        (C overlaps A)
//   pieces  A ─────────C ───────
//
// If all slices nest, the outermost row is the union row, and nothing is stored. A packed lane has one union row per slot,
// because its utilisation is the mean over its slots. All queries on rows also work on union rows. Cost: O(n log rows) time; 20
// bytes per piece, only for slots with partial overlaps.
#pragma once

#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

/// Times and labels are those of the segment, not of a view.
struct PieceColumns {
  std::vector<Ns> begin, duration;
  std::vector<LabelId> label;

  std::size_t size() const { return begin.size(); }
};

/// Whether the first of these rows covers all others. They are the rows of one slot, outermost first.
bool first_row_covers(const Trace& trace, std::span<const Row> rows);

/// The union of the rows as pieces in time order.
PieceColumns union_of_rows(const Trace& trace, std::span<const Row> rows);

}  // namespace tv
