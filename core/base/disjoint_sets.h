// Joins numbers 0 to n - 1 into sets. The least number of a set represents it. Cost: O(log n) for each call, amortised.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace tv {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t n) : first_(n) { std::iota(first_.begin(), first_.end(), std::size_t{0}); }

  std::size_t first_of(std::size_t i) {
    while (first_[i] != i) i = first_[i] = first_[first_[i]];  // path halving
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t first_of_a = first_of(a), first_of_b = first_of(b);
    first_[std::max(first_of_a, first_of_b)] = std::min(first_of_a, first_of_b);
  }

 private:
  std::vector<std::size_t> first_;  // by number: a smaller number of its set, or itself if it is the least
};

}  // namespace tv
