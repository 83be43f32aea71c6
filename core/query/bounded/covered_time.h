// How long at least one of many spans lasts, and how to ask for it where the spans do not fit into memory: window of time by
// window. What is covered in two windows beside each other adds up, so the sum does not depend on how time is cut. Nanoseconds.
// Cost: O(n log n), O(n) where they are in order; for_each_window counts twice per window that is visited, or less.
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

/// Sorts them by begin.
Ns covered_time(std::span<TimeRange> spans);

/// Windows that are `all` together, the first first; of each `count(window)` is at most `most`, but of one that is a nanosecond.
/// Those of which it is 0 are left out. Stops between two. Where `most` is less than what lies beside each other at any time,
/// that is each nanosecond of it.
template <class Count, class Visit>
void for_each_window(TimeRange all, std::size_t most, std::stop_token stop, Count count, Visit visit) {
  std::vector<TimeRange> left = {all};  // the last is the first
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
