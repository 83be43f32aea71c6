// Puts the slices of one lane on rows so that no two slices of a row overlap, and computes self times on the way.
//
// Nest: slices are taken by (begin, longer first, in the given order or that of their records). A slice's parent is the open
// slice with the latest begin that contains it. Its time in the parent is not the parent's own. It stands right below the
// innermost slice of the stack that contains at least fifteen sixteenths of it. If that row is taken, it overlaps another slice
// (begins inside, ends after it). Then it stands below the stack, on the first free row there, and the slices it contains stay
// in the stack: a range that outlives the call in which it began pushes nothing down. But a small call in which a range twice as
// long begins (ProfilerStep within profiler.step) moves aside itself, with all that it called so far. The range, which holds
// what comes next, then stands in the stack. Nothing is ever dropped.
//
//     A ─────────────────          row 0
//       B ──────                   row 1   child of A
//            D ──                  row 2   child of B
//          C ─────────             row 3   overlaps B, child of A
//                 E ──             row 1   child of C, below A
//
// With a tolerance (below) no slice stands outside the stack: a late end is rounding there, and an overlapping slice takes the next
// free row. A slice that overlaps the one before it by no more than kRoundingSlack follows it on its row, so that it touches its
// parent: begins computed as end - duration differ from the end before them by rounding. Begins and ends of a row still rise.
//
// A zero-length slice at the begin of another counts as open there, so that it gets a row of its own and stays visible.
//
// Pack: slices with one group key form a block (a request and its phases, an async id); blocks go first-fit into slots,
// each slot nests as above:
//
//     slot 0   req a ─────────   req c ────
//                turn ────         turn ─
//     slot 1     req b ──────────────
//                  turn ───
//
// Cost: O(n log n) for the sort (skipped when sorted), then O(n * overlaps); a lane with more than kMaxOpen overlapping
// slices is packed instead, which is O(n log n).
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
  /// Orders slices with the same begin and end: the earlier record is the outer slice. Empty: they are in that order already.
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
  std::uint32_t first_overlap = UINT32_MAX;  ///< the first overlapping one to begin
  Ns busy = 0;                       ///< union of all items
};

inline constexpr std::size_t kMaxOpen = 512;
/// With a nest tolerance, a parent may also begin this much after its child, and a slice this much before the one ends that it
/// follows: begins that were computed as end - float duration differ by rounding.
inline constexpr Ns kRoundingSlack = 10 * kMicrosecond;

/// `self`: one per item. `out` may be an old layout, whose memory is used again. A lane that nests is laid
/// out by several threads, each with at least `least_part` items.
void lay_out_rows(const LaneItems& items, RowRule rule, Ns nest_tolerance, std::span<Ns> self, RowLayout& out,
                  ThreadPool& pool, std::size_t least_part = 1 << 17);

}  // namespace tv
