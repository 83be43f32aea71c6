#include "core/query/hit_test.h"

#include "core/query/row_search.h"

namespace tv {

std::optional<SliceId> hit_test(const RowSlices& row, Ns t, Ns tolerance) {
  const std::size_t after = first_beginning_after(row, t);
  std::optional<SliceId> nearest;
  Ns distance = tolerance;
  if (after > 0) {
    // Ends are sorted too, so of all slices before t, the last one reaches furthest. Ends are exclusive.
    const std::size_t before = after - 1;
    const Ns last_ns = row.duration(before) > 0 ? row.end(before) - 1 : row.begin(before);
    if (t - last_ns <= distance) {
      nearest = row.id(before);
      distance = t - last_ns - 1;  // so that a slice after t wins only if it is strictly nearer
    }
    if (t <= last_ns) return nearest;
  }
  if (after < row.size() && row.begin(after) - t <= distance) nearest = row.id(after);
  return nearest;
}

}  // namespace tv
