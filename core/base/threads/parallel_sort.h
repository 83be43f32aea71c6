// A stable sort on all threads of a pool, for data in a few sorted runs (sort_runs.h). Each thread sorts a part, then parts are
// merged in pairs. Every merge is split, so that all threads have work until the end. Sorted data costs one pass.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/base/sort_runs.h"
#include "core/base/threads/thread_pool.h"

namespace tv {

/// `spare` has room for as many values; its contents are undefined afterwards.
template <class T, class Less>
void parallel_sort(std::span<T> values, std::span<T> spare, Less less, ThreadPool& pool, std::size_t least_part = 1 << 16) {
  const std::size_t parts = std::bit_floor(std::clamp<std::size_t>(values.size() / least_part, 1, std::bit_ceil(pool.size())));
  const auto begin_of = [&](std::size_t part) { return values.size() * part / parts; };
  pool.parallel_for(parts, [&](std::size_t part) {
    const std::size_t begin = begin_of(part), n = begin_of(part + 1) - begin;
    sort_runs(values.subspan(begin, n), spare.subspan(begin, n), less);
  });
  bool sorted = true;
  for (std::size_t part = 1; part < parts; ++part) sorted = sorted && !less(values[begin_of(part)], values[begin_of(part) - 1]);
  if (sorted) return;
  std::span<T> from = values, to = spare.first(values.size());
  for (std::size_t width = 1; width < parts; width *= 2) {
    // The left side is cut evenly, the right side before values equal to the cut, so that equal values keep their order.
    pool.parallel_for(parts, [&](std::size_t task) {
      const std::size_t cuts = 2 * width, pair = task / cuts * cuts, cut = task % cuts;
      const std::span<T> left = from.subspan(begin_of(pair), begin_of(pair + width) - begin_of(pair));
      const std::span<T> right = from.subspan(begin_of(pair + width), begin_of(pair + cuts) - begin_of(pair + width));
      const auto place = [&](std::size_t c) -> std::pair<std::size_t, std::size_t> {
        const std::size_t l = left.size() * c / cuts;
        if (c == 0) return {0, 0};
        if (c == cuts) return {left.size(), right.size()};
        return {l, static_cast<std::size_t>(std::lower_bound(right.begin(), right.end(), left[l], less) - right.begin())};
      };
      const auto [l, r] = place(cut);
      const auto [l_end, r_end] = place(cut + 1);
      std::merge(left.begin() + l, left.begin() + l_end, right.begin() + r, right.begin() + r_end,
                 to.begin() + begin_of(pair) + l + r, less);
    });
    std::swap(from, to);
  }
  if (from.data() != values.data()) std::copy(from.begin(), from.end(), values.begin());
}

}  // namespace tv
