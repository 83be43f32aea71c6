// What files of known time tell about others.
#include "core/store/clock/known_times.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tv;

TEST_CASE("known_times: of ranges that begin together, the longest is the outermost, in any input order") {
  std::vector<TimeRange> ranges{{0, 1}, {0, 10}, {0, 4}, {2, 3}, {10, 12}, {10, 20}, {19, 30}, {20, 21}};
  const std::vector<TimeRange> outer{{0, 10}, {10, 20}, {20, 21}};
  CHECK(outermost(ranges) == outer);
  std::ranges::reverse(ranges);
  CHECK(outermost(ranges) == outer);
}
