// Stretches in which a lane does nothing, as objects to point at, to select, and to step through by length.
//
//   row 0   [ step            ]            [ step   ]
//   row 1      [ gemm ] [ add ]
//                      ^ of row 1 alone: between children
//                             ^----------^ of the lane: none of its slices runs
//
// A lane's gap ends where any of its slices begins: it lies between the lane's first slice and its last, and no slice overlaps it.
// A gap between slices of one row, or line of rows, while other rows of the lane are busy belongs to that row alone. Slices that
// never ended fill the lane up to where they are drawn. Instants take no time and end no gap.
// Cost: gaps_of_lane O(slices * log rows), for a lane without overlaps O(slices of its outermost row); gap_at O(rows * log slices).
#pragma once

#include <optional>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

struct Gap {
  LaneId lane = kNone<LaneId>;
  RowId row = kNone<RowId>;  ///< a gap of this row alone; none: a gap of the lane
  TimeRange time;
  SliceId before = kNone<SliceId>;  ///< ended last; if several end together, that of the first row
  SliceId after = kNone<SliceId>;   ///< begins next; of several, that of the first row
  bool operator==(const Gap&) const = default;
};

/// Longest first, then earliest; at most `most`, the longest.
std::vector<Gap> gaps_of_lane(const Trace& trace, LaneId lane, std::size_t most = SIZE_MAX);
/// The gaps of several lanes, longest first, then in the order of the lanes, then earliest.
std::vector<Gap> gaps_of_lanes(const Trace& trace, const std::vector<LaneId>& lanes, std::size_t most_of_a_lane,
                               ThreadPool& pool);

/// The lane's gap around t; none while the lane is busy, before its first slice and after its last.
std::optional<Gap> gap_at(const Trace& trace, LaneId lane, Ns t);
/// The gap around t of one row: the lane's gap if the lane is idle, else the one between two slices of the row or its line. For
/// lanes with more than kMostGapRows rows it is always that of the line, because it is computed while the mouse moves.
inline constexpr std::uint32_t kMostGapRows = 4096;
std::optional<Gap> gap_at(const Trace& trace, RowId row, Ns t);

}  // namespace tv
