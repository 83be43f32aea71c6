// Assigns the slices of one lane to rows so that no two slices of a row overlap, and computes self times.
//
// Nest: slices are taken by begin, then longest first, then in the given order or the order of records. The parent of a slice is
// the open slice with the latest begin that contains it; the time of the slice is not self time of the parent. The slice is
// placed right below the innermost slice of the stack that contains at least fifteen sixteenths of it. If that row is taken, the
// slice overlaps another one: it begins inside and ends after it. Then the slice goes aside, to the first free row below the
// stack, while slices that it contains stay in the stack. So a range that outlives the call in which it began does not push the
// stack down. But if a range is at least twice as long as the call in which it begins (ProfilerStep within profiler.step), the
// call moves aside, with its callees so far, and the range takes the place of the call in the stack, since it contains what comes
// next. No slice is ever dropped.
//
//     A ─────────────────          row 0
//       B ──────                   row 1   child of A
//            D ──                  row 2   child of B
//          C ─────────             row 3   overlaps B, child of A
//                 E ──             row 1   child of C, below A
//
// On a lane with a nest tolerance (LaneSpec), no slice goes aside: a late end is taken for rounding, and a slice that overlaps
// another takes the next free row. A slice that overlaps the previous one by at most kRoundingSlack follows it on the same row,
// because begins computed as end - duration differ from the previous end by rounding. Begins and ends of a row are still
// ascending.
//
// A zero-length slice at the begin of another counts as open there, so it gets its own row and stays visible.
//
// Pack: slices with the same group key form a block (a request and its phases, an async id). Each block goes to the first free
// slot; the slices of a slot nest as above:
//
//     slot 0   req a ─────────   req c ────
//                turn ────         turn ─
//     slot 1     req b ──────────────
//                  turn ───
//
// Cost: O(n log n) for the sort (skipped when sorted), then O(n * overlaps). A lane with more than kMaxOpen overlapping slices is
// packed instead, which is O(n log n).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/memory/column.h"
#include "core/base/threads/thread_pool.h"
#include "core/base/time.h"
#include "core/store/draft/item_ref.h"
#include "core/store/draft/lane_spec.h"

namespace tv {

struct LaneItems {
  std::span<const Ns> begin, duration;
  std::span<const std::uint32_t> group;  ///< kNoGroup: a group of its own; empty span: no slice has a group
  /// If several slices begin and end together, the slice with the earliest record is the outer one. Empty: slices
  /// that begin and end together already come in that order.
  std::span<const ItemRef> ref = {};
};

struct RowPlace {
  std::uint32_t slot;
  std::uint32_t depth;
};

struct RowLayout {
  Scratch<std::uint32_t> order;  ///< items by begin
  Scratch<std::uint32_t> row;    ///< by item, counted from 0 within the lane
  Scratch<std::uint32_t> spare;  ///< of the same size, for any use
  std::vector<RowPlace> rows;                ///< by row
  std::uint64_t overlaps = 0;                ///< number of slices that overlap an open slice in part
  std::uint32_t first_overlap = UINT32_MAX;  ///< the overlapping slice that begins first
  Ns busy = 0;                               ///< length of the union of all items
};

/// If more slices than this are open where slices overlap, a nesting lane is packed instead.
inline constexpr std::size_t kMaxOpen = 512;
/// With a nest tolerance, a parent may begin this much after its child, and a slice this much before its predecessor ends,
/// because begins computed as end - float duration differ by rounding.
inline constexpr Ns kRoundingSlack = 10 * kMicrosecond;

/// `self`: one element for each item. `out` may be an old layout, whose memory is reused. Several threads lay out a nesting lane,
/// each with at least `least_part` items.
void lay_out_rows(const LaneItems& items, RowRule rule, Ns nest_tolerance, std::span<Ns> self, RowLayout& out,
                  ThreadPool& pool, std::size_t least_part = 1 << 17);

}  // namespace tv
