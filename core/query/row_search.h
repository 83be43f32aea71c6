// Binary searches in one row. They rely on the invariant of rows: begins and ends are both sorted.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/store/trace/trace.h"

namespace tv {

/// The first slice that begins at or after t; the row's size if there is none.
inline std::size_t first_beginning_at(const RowSlices& row, Ns t) {
  const std::span<const Ns> begins = row.own_begins();
  return static_cast<std::size_t>(std::ranges::lower_bound(begins, row.placed().own_time(t)) - begins.begin());
}

/// The first slice that begins after t, or the row's size. The slice before it, if any, is the last that begins at or before t.
inline std::size_t first_beginning_after(const RowSlices& row, Ns t) {
  const std::span<const Ns> begins = row.own_begins();
  return static_cast<std::size_t>(std::ranges::upper_bound(begins, row.placed().own_time(t)) - begins.begin());
}

/// Positions [first, last) of a row.
struct RowPart {
  std::size_t first = 0, last = 0;
  std::size_t size() const { return last - first; }
};

/// The slices that touch a range: begin < range.end and end > range.begin; a zero-length one touches if range.begin <= begin <
/// range.end.
RowPart touching(const RowSlices& row, TimeRange range);

}  // namespace tv
