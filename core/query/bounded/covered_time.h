// Computes the time that many spans cover together. Spans that do not fit into memory are handled in one time window after
// another: the covered times of adjacent windows add up, wherever time is cut. Times are in ns. Cost: O(n log n), O(n) for sorted
// spans; for_each_window calls `count` at most twice per halving that leads to a visited window.
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

/// Cuts `all` into windows, in time order, so that `count(window)` is at most `most`, except in windows of one nanosecond.
/// Windows with a count of 0 are left out. `stop` takes effect between two windows. Where more than `most` spans overlap, each
/// nanosecond is a window of its own.
template <class Count, class Visit>
void for_each_window(TimeRange all, std::size_t most, std::stop_token stop, Count count, Visit visit) {
  std::vector<TimeRange> remaining = {all};  // a stack, the earliest window on top
  while (!remaining.empty() && !stop.stop_requested()) {
    const TimeRange window = remaining.back();
    remaining.pop_back();
    const std::size_t n = count(window);
    if (n == 0) continue;
    const Ns middle = std::midpoint(window.begin, window.end);
    if (n <= most || middle == window.begin) {
      visit(window);
      continue;
    }
    remaining.push_back({middle, window.end});
    remaining.push_back({window.begin, middle});
  }
}

}  // namespace tv
