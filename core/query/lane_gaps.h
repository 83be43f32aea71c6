// Gaps: stretches in which a lane is idle. Users point at them, select them, and step through them by length.
//
//   row 0   [ step            ]            [ step   ]
//   row 1      [ gemm ] [ add ]
//                      ^ gap of row 1 alone, between children
//                             ^----------^ gap of the lane: none of its slices runs
//
// A lane's gap lies between the lane's first slice and its last, no slice overlaps it, and it ends where a slice begins. A gap
// between two slices of a row, while other rows of the lane are busy, belongs to that row alone; rows of several segments at one
// place count as one row. Slices that never ended fill the lane up to where they are drawn. Instants take no time and end no gap.
// Cost: gaps_of_lane O(slices * log rows), for a lane without overlaps O(slices of its outermost row); gap_at O(rows * log
// slices).
#pragma once

#include <optional>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

struct Gap {
  LaneId lane = kNone<LaneId>;
  RowId row = kNone<RowId>;  ///< for a gap of one row alone; kNone: a gap of the lane
  TimeRange time;
  SliceId before = kNone<SliceId>;  ///< the slice that ended last; if several end together, that of the first row
  SliceId after = kNone<SliceId>;   ///< the slice that begins next; if several begin together, that of the first row
  bool operator==(const Gap&) const = default;
};

/// Longest first, then earliest; only the `most` longest.
std::vector<Gap> gaps_of_lane(const Trace& trace, LaneId lane, std::size_t most = SIZE_MAX);
/// The gaps of several lanes, longest first, then in the order of the lanes, then earliest.
std::vector<Gap> gaps_of_lanes(const Trace& trace, const std::vector<LaneId>& lanes, std::size_t most_of_a_lane,
                               ThreadPool& pool);

/// The lane's gap around t; none while the lane is busy, before its first slice and after its last.
std::optional<Gap> gap_at(const Trace& trace, LaneId lane, Ns t);
/// The gap around t in one row: the lane's gap if the lane is idle, else the one between two slices of the row. In lanes with
/// more than kMostGapRows rows it is always the row's, because looking at all rows takes too long while the mouse moves.
inline constexpr std::uint32_t kMostGapRows = 4096;
std::optional<Gap> gap_at(const Trace& trace, RowId row, Ns t);

}  // namespace tv
