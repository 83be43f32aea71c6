// Tests outermost(), which removes ranges that begin within another.
#include "core/store/clock/known_times.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>

using namespace tv;

namespace {

std::vector<RecordedRange> recorded_ranges(std::initializer_list<TimeRange> plain) {
  std::vector<RecordedRange> ranges;
  for (const TimeRange& range : plain) ranges.push_back(RecordedRange::of(range));
  return ranges;
}

}  // namespace

TEST_CASE("known_times: of ranges that begin together, the longest is the outermost, in any input order") {
  std::vector<RecordedRange> ranges = recorded_ranges({{0, 1}, {0, 10}, {0, 4}, {2, 3}, {10, 12}, {10, 20}, {19, 30}, {20, 21}});
  const std::vector<RecordedRange> outer = recorded_ranges({{0, 10}, {10, 20}, {20, 21}});
  CHECK(outermost(ranges) == outer);
  std::ranges::reverse(ranges);
  CHECK(outermost(ranges) == outer);
}
