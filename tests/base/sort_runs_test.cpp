#include "core/base/sort_runs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("sort_runs: equals a stable sort, for any number of runs") {
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<std::pair<std::int64_t, int>> values;
    const auto runs = random.one_of(std::vector<int>{0, 1, 2, 3, 7, 64, 6'000});
    for (int run = 0; run < runs; ++run) {
      std::int64_t value = random.in(0, 50);
      for (std::int64_t n = random.in(1, 20); n > 0; --n) {
        values.emplace_back(value, static_cast<int>(values.size()));
        value += random.in(0, 3);
      }
    }
    const auto by_first = [](const auto& a, const auto& b) { return a.first < b.first; };
    auto expected = values;
    std::stable_sort(expected.begin(), expected.end(), by_first);
    auto spare = values;
    sort_runs(std::span(values), std::span(spare), by_first);
    REQUIRE(values == expected);
  }
}
