// A stable sort for data in a few sorted runs, such as a trace's slices of one thread. Cost: n comparisons to find k runs, n log k
// to merge them; data in more than kMostRuns runs is left to std::stable_sort.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace tv {

/// `spare` has room for as many values; its contents are undefined afterwards.
template <class T, class Less>
void sort_runs(std::span<T> values, std::span<T> spare, Less less) {
  constexpr std::size_t kMostRuns = 4096;
  std::vector<std::size_t> begins = {0};
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!less(values[i], values[i - 1])) continue;
    begins.push_back(i);
    if (begins.size() > kMostRuns) return std::stable_sort(values.begin(), values.end(), less);
  }
  if (begins.size() == 1) return;
  if (begins.size() == 2) {  // inplace_merge() needs memory only for the shorter run
    return std::inplace_merge(values.begin(), values.begin() + begins[1], values.end(), less);
  }
  begins.push_back(values.size());
  std::span<T> from = values, to = spare.first(values.size());
  while (begins.size() > 2) {
    std::vector<std::size_t> merged = {0};
    for (std::size_t r = 0; r + 1 < begins.size(); r += 2) {
      const std::size_t middle = begins[r + 1], end = begins[std::min(r + 2, begins.size() - 1)];
      std::merge(from.begin() + begins[r], from.begin() + middle, from.begin() + middle, from.begin() + end,
                 to.begin() + begins[r], less);
      merged.push_back(end);
    }
    begins = std::move(merged);
    std::swap(from, to);
  }
  if (from.data() != values.data()) std::copy(from.begin(), from.end(), values.begin());
}

}  // namespace tv
