#include "core/view/table/table_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

using Rows = std::vector<std::uint32_t>;

TEST_CASE("table_order: the sort is stable, keeps every row once and puts NaN last") {
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<double> keys;
    for (std::int64_t n = random.in(0, 40); n > 0; --n) {
      keys.push_back(random.chance(0.2) ? std::numeric_limits<double>::quiet_NaN()
                                        : static_cast<double>(random.in(-3, 3)));
    }
    Rows rows;
    for (std::uint32_t r = 0; r < keys.size(); ++r) {
      if (random.chance(0.8)) rows.push_back(r);
    }
    for (const bool falling : {false, true}) {
      Rows found = rows;
      order_rows(found, keys, falling);
      // Selection sort: of the remaining rows, take the first that no other one precedes.
      Rows left = rows, expected;
      while (!left.empty()) {
        std::size_t best = 0;
        for (std::size_t i = 1; i < left.size(); ++i) {
          const double a = keys[left[i]], b = keys[left[best]];
          const bool before = !std::isnan(a) && (std::isnan(b) || (falling ? a > b : a < b));
          if (before) best = i;
        }
        expected.push_back(left[best]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
      }
      REQUIRE(found == expected);
    }
  }
}
