// The sweep that puts nesting slices on rows (row_layout.h, "Nest"); on several threads if a lane has enough of them for two
// parts.
//
// A part of a lane can be swept on its own if we know which slices are open at its begin. If slices nest, these are all earlier
// ones that have not ended, each a row below the previous one. A part is swept on that assumption, and again with the real open
// slices if the previous part ended otherwise: the result equals that of one sweep. One thread sweeps the whole lane if there is
// a tolerance (begins may go back there, and the open slices do not show which rows are free), if more than kMaxOpen slices are
// open, or if a call that makes room for a longer slice belongs to the previous part.
// Cost: O(n * overlaps).
#pragma once

#include <cstdint>
#include <span>

#include "core/base/threads/thread_pool.h"
#include "core/store/trace/row_layout.h"

namespace tv {

struct NestedRows {
  bool all = true;  ///< false: more than kMaxOpen overlap, and the sweep stopped
  std::uint32_t rows = 0;        ///< rows of the stack, followed by those of slices that do not nest
  std::uint32_t rows_aside = 0;  ///< rows of the latter while the stack's depth is unknown; 0 in the result
  std::uint64_t overlaps = 0;                ///< slices that partially overlap an open one
  std::uint32_t first_overlap = UINT32_MAX;  ///< one of them
  Ns busy = 0;                               ///< union of all items
  bool stepped_aside = false;                ///< some slices were moved off the stack later
};

struct NestInto {
  std::uint32_t first_row;
  std::span<std::uint32_t> row;  ///< per item
  std::span<Ns> self;            ///< per item
};

/// `order`: items by (begin, longer first).
NestedRows nest_rows(const LaneItems& items, Ns tolerance, std::span<const std::uint32_t> order, const NestInto& into);
NestedRows nest_rows(const LaneItems& items, Ns tolerance, std::span<const std::uint32_t> order, const NestInto& into,
                     ThreadPool& pool, std::size_t least_part);

}  // namespace tv
