#include "core/base/threads/parallel_sort.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("parallel_sort: equals a stable sort, for any number of threads and runs") {
  ThreadPool one(1), three(3), eight(8);
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<std::pair<std::int64_t, int>> values;
    const std::int64_t largest = random.one_of(std::vector<std::int64_t>{0, 3, 1000});
    const bool in_order = random.chance(0.3);
    for (std::int64_t n = random.in(0, 500); n > 0; --n) {
      values.emplace_back(in_order ? -n : random.in(0, largest), static_cast<int>(values.size()));
    }
    const auto by_first = [](const auto& a, const auto& b) { return a.first < b.first; };
    auto expected = values;
    std::stable_sort(expected.begin(), expected.end(), by_first);
    for (ThreadPool* pool : {&one, &three, &eight}) {
      auto sorted = values, spare = values;
      parallel_sort(std::span(sorted), std::span(spare), by_first, *pool, static_cast<std::size_t>(random.in(1, 40)));
      REQUIRE(sorted == expected);
    }
  }
}
