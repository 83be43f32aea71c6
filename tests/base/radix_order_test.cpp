#include "core/base/radix_order.h"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("radix_order: equals a stable sort, for keys of any width") {
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    Random random(seed);
    const auto width = static_cast<unsigned>(random.in(0, 63));
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(random.in(0, 500)));
    for (std::uint64_t& key : keys) key = random.chance(0.2) ? 0 : random.next() >> (63 - width);
    std::vector<std::uint32_t> order(keys.size()), spare(keys.size());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<std::uint32_t> expected = order;
    const auto key_of = [&](std::uint32_t i) { return keys[i]; };
    std::ranges::stable_sort(expected, {}, key_of);
    radix_order(std::span(order), std::span(spare), key_of);
    REQUIRE(order == expected);
  }
}
