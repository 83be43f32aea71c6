// Assigns the slices of one lane to rows so that no two slices of a row overlap, and computes self times.
//
// Nest: slices are taken by (begin, longer first, then in the given order or in record order). A slice's parent is the open slice
// with the latest begin that contains it; its time does not count as the parent's self time. The slice is placed right below the
// innermost slice of the stack that contains at least fifteen sixteenths of it. If that row is taken, it overlaps another slice
// (begins inside, ends after it). Then it goes below the stack, on the first free row there, and the slices it contains stay in
// the stack: a range that outlives the call in which it began does not push the stack down. But if a range begins within a call
// less than half as long (ProfilerStep within profiler.step), the call moves aside, with all its callees so far, and the range
// takes its place in the stack, since it contains what comes next. Nothing is ever dropped.
//
//     A ─────────────────          row 0
//       B ──────                   row 1   child of A
//            D ──                  row 2   child of B
//          C ─────────             row 3   overlaps B, child of A
//                 E ──             row 1   child of C, below A
//
// With a tolerance (below) all slices are in the stack: a late end is rounding there, and an overlapping slice takes the next free
// row. A slice that overlaps the previous one by no more than kRoundingSlack follows it on its row, so that it touches its parent:
// begins computed as end - duration differ from the previous end by rounding. Begins and ends of a row are still ascending.
//
// A zero-length slice at the begin of another counts as open there, so it gets its own row and stays visible.
//
// Pack: slices with one group key form a block (a request and its phases, an async id). Blocks go first-fit into slots; each slot
// nests as above:
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
  std::span<const std::uint32_t> group;  ///< kNoGroup = a group of its own; empty span = no groups at all
  /// Orders slices with equal begin and end: the earlier record is the outer slice. Empty: they are in that order already.
  std::span<const ItemRef> ref = {};
};

struct RowPlace {
  std::uint32_t slot;
  std::uint32_t depth;
};

struct RowLayout {
  Scratch<std::uint32_t> order;  ///< positions in begin order
  Scratch<std::uint32_t> row;    ///< per item, 0-based within the lane
  Scratch<std::uint32_t> spare;  ///< same size; free for any use
  std::vector<RowPlace> rows;        ///< per row
  std::uint64_t overlaps = 0;        ///< slices that partially overlap an open one
  std::uint32_t first_overlap = UINT32_MAX;  ///< the overlapping slice that begins first
  Ns busy = 0;                       ///< union of all items
};

inline constexpr std::size_t kMaxOpen = 512;
/// With a nest tolerance, a parent may also begin this much after its child, and a slice this much before its predecessor ends:
/// begins computed as end - float duration differ by rounding.
inline constexpr Ns kRoundingSlack = 10 * kMicrosecond;

/// `self`: one per item. `out` may be an old layout, whose memory is reused. A nesting lane is laid out by several threads, each
/// with at least `least_part` items.
void lay_out_rows(const LaneItems& items, RowRule rule, Ns nest_tolerance, std::span<Ns> self, RowLayout& out,
                  ThreadPool& pool, std::size_t least_part = 1 << 17);

}  // namespace tv
