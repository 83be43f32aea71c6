#include "core/view/table_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/view/chart_cell.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

using Rows = std::vector<std::uint32_t>;

TEST_CASE("table_order: a click orders by the column, a second one turns it round") {
  TableOrder order{2, true};
  order = after_click(order, 5, true);
  CHECK(order == TableOrder{5, true});  // the greatest first
  order = after_click(order, 5, true);
  CHECK(order == TableOrder{5, false});
  order = after_click(order, 0, false);
  CHECK(order == TableOrder{0, false});  // names from the first
  order = after_click(order, 0, false);
  CHECK(order == TableOrder{0, true});
}

TEST_CASE("table_order: names in natural order, and what is missing last both ways round") {
  ChartTable table;
  table.columns = {{"name", false}, {"time", true}};
  table.rows = {{ChartCell("rank 10"), duration_cell(5)},
                {ChartCell("rank 2"), ns_cell(std::numeric_limits<double>::quiet_NaN())},
                {ChartCell("rank 1"), duration_cell(1'000'000)},
                {ChartCell("rank 3"), duration_cell(20)}};
  CHECK(rows_in_order(table, {0, false}) == Rows{2, 1, 3, 0});
  CHECK(rows_in_order(table, {0, true}) == Rows{0, 3, 1, 2});
  CHECK(rows_in_order(table, {1, true}) == Rows{2, 3, 0, 1});  // by number, not as "1 ms" < "20 ns" reads
  CHECK(rows_in_order(table, {1, false}) == Rows{0, 3, 2, 1});
  CHECK(rows_in_order(table, {7, false}) == Rows{0, 1, 2, 3});
  CHECK(rows_in_order({}, {0, false}).empty());
}

TEST_CASE("table_order: each row once, in order, equal ones as they came") {
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
      // One by one: the first of those that are left that no other one goes before.
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
