// The sweep that puts nesting slices on rows (row_layout.h, "Nest"). A lane with enough slices for two parts is swept by several
// threads.
//
// A part of a lane can be swept on its own if it is known which slices are open at its begin. If slices nest, these are all
// earlier slices that have not ended, each one row below the previous one. A part is first swept with this assumption. If the
// previous part ends with other open slices or rows, the part is swept again with these, so the result equals that of a single
// sweep. One thread sweeps the whole lane if there is a tolerance (then begins may go back, and the open slices do not show which
// rows are free), if more than kMaxOpen slices are open, or if a call that must move aside (row_layout.h) is in an earlier part.
// Cost: O(n * overlaps).
#pragma once

#include <cstdint>
#include <span>

#include "core/base/threads/thread_pool.h"
#include "core/store/trace/row_layout.h"

namespace tv {

struct NestedRows {
  bool complete = true;          ///< false: more than kMaxOpen slices overlap, so the sweep stopped
  std::uint32_t rows = 0;        ///< rows of the stack, then rows aside: those of slices that do not nest in the stack
  std::uint32_t rows_aside = 0;  ///< number of rows aside, while the depth of the stack is unknown; 0 in the result
  std::uint64_t overlaps = 0;                ///< number of slices that overlap an open slice in part
  std::uint32_t first_overlap = UINT32_MAX;  ///< the first of these
  Ns busy = 0;                               ///< length of the union of all items
  bool stepped_aside = false;                ///< some slices were moved from the stack to rows aside
};

/// Where the result goes.
struct NestInto {
  std::uint32_t first_row;       ///< the number of the first row
  std::span<std::uint32_t> row;  ///< by item
  std::span<Ns> self;            ///< by item
};

/// `order`: items by (begin, longer first). The second function uses several threads, each with at least `least_part` items.
NestedRows nest_rows(const LaneItems& items, Ns tolerance, std::span<const std::uint32_t> order, const NestInto& into);
NestedRows nest_rows(const LaneItems& items, Ns tolerance, std::span<const std::uint32_t> order, const NestInto& into,
                     ThreadPool& pool, std::size_t least_part);

}  // namespace tv
