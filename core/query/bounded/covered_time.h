// The time that many spans cover together, computed for one time window after another if the spans do not fit into memory. The
// covered times of adjacent windows add up, so the sum does not depend on how time is cut. Nanoseconds. Cost: O(n log n), O(n) if
// they are in order; for_each_window calls `count` at most twice per halving that leads to a visited window.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/time.h"

namespace tv {

inline TimeRange part_within(TimeRange span, TimeRange window) {
  return {std::max(span.begin, window.begin), std::min(span.end, window.end)};
}

/// Sorts the spans by begin.
Ns covered_time(std::span<TimeRange> spans);

/// Cuts `all` into windows, in time order, so that `count(window)` is at most `most`, except in windows of one nanosecond. Windows
/// with a count of 0 are left out. It can be stopped between two windows. If more than `most` spans overlap, every nanosecond there
/// is a window.
template <class Count, class Visit>
void for_each_window(TimeRange all, std::size_t most, std::stop_token stop, Count count, Visit visit) {
  std::vector<TimeRange> left = {all};  // a stack: the last is visited first
  while (!left.empty() && !stop.stop_requested()) {
    const TimeRange window = left.back();
    left.pop_back();
    const std::size_t n = count(window);
    if (n == 0) continue;
    const Ns middle = std::midpoint(window.begin, window.end);
    if (n <= most || middle == window.begin) {
      visit(window);
      continue;
    }
    left.push_back({middle, window.end});
    left.push_back({window.begin, middle});
  }
}

}  // namespace tv
