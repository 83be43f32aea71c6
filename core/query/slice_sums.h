// Sums over many slices: all slices with one name, or the slices of a lane from one slice to another.
//
//   depth 0   [ step              ] [ step              ]
//   depth 1     [a]  [ b ]    [c]     [d]    [e]
//                    ^ selected               ^ Shift+click: b, c, d, e of this depth, in all slots of the lane
//
// Slices that never ended count, but add no time. Instants are counted separately. Gaps are the times between the first begin and
// the last end in which none of the slices runs. Cost: sums_of_label O(slices), reading 4 bytes of each; sums_between O(slices of
// the stretch), and a sort if these are in several rows.
#pragma once

#include <cstdint>
#include <optional>

#include "core/store/trace/trace.h"

namespace tv {

struct SliceStretch {
  LaneId lane = kNone<LaneId>;
  std::uint16_t depth = 0;
  SliceId first{}, last{};  ///< in order of begin
  bool operator==(const SliceStretch&) const = default;
};

/// The stretch between two slices, at the depth of `from`. None if they are on different lanes, or if one is an instant.
std::optional<SliceStretch> stretch_between(const Trace& trace, SliceId from, SliceId to);
/// From the begin of the stretch's first slice to the begin of its last.
TimeRange begins_of(const Trace& trace, const SliceStretch& stretch);
/// The slices of a row that are in the stretch: positions in the row.
struct StretchOfRow {
  std::size_t first = 0, end = 0;
  bool empty() const { return first >= end; }
};
StretchOfRow part_of_row(const Trace& trace, const SliceStretch& stretch, const Row& row);

struct SliceSums {
  std::uint64_t count = 0, unfinished = 0;
  std::uint64_t instants = 0;  ///< only for a name
  Ns total = 0, longest = 0;
  TimeRange covered;       ///< for a stretch: first begin to last end
  std::uint64_t gaps = 0;  ///< only for a stretch, as everything below
  Ns idle = 0, longest_gap = 0;
  bool operator==(const SliceSums&) const = default;
};
SliceSums sums_of_label(const Trace& trace, LabelId label);
SliceSums sums_between(const Trace& trace, const SliceStretch& stretch);

}  // namespace tv
