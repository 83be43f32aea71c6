// Lanes that several threads lay out in parts.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "tests/store/laid_out.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("row_layout: layout in parts equals layout in one when all slices stay open to the end") {
  ThreadPool pool(4);
  for (const bool nest : {true, false}) {
    CAPTURE(nest);
    std::vector<Item> items;
    for (int i = 0; i < 3'000; ++i) items.push_back({i, nest ? 10'000 - i : 10'000});
    const Laid whole = lay_out(items);
    const Laid parts = lay_out(items, RowRule::Nest, 0, pool, 100);
    REQUIRE(std::ranges::equal(parts.layout.row, whole.layout.row));
    REQUIRE(parts.self == whole.self);
    CHECK(parts.layout.overlaps == whole.layout.overlaps);
    CHECK(parts.layout.first_overlap == whole.layout.first_overlap);
  }
}

TEST_CASE("row_layout: layout in parts equals layout in one, whatever overlaps where they meet") {
  ThreadPool pool(5);
  for (const std::uint64_t seed : seeds(150)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Item> items;
    const Ns span = random.one_of(std::vector<Ns>{30, 300, 5000});
    const Ns longest = random.one_of(std::vector<Ns>{3, 40, 2000});
    for (std::int64_t n = random.in(2, 400); n > 0; --n) {
      items.push_back({random.in(0, span), random.chance(0.2) ? 0 : random.in(0, longest)});
    }
    const Ns tolerance = random.chance(0.5) ? 0 : random.in(1, 5);
    const Laid whole = lay_out(items, RowRule::Nest, tolerance);
    const Laid parts = lay_out(items, RowRule::Nest, tolerance, pool, static_cast<std::size_t>(random.in(1, 60)));
    REQUIRE(std::ranges::equal(parts.layout.order, whole.layout.order));
    REQUIRE(std::ranges::equal(parts.layout.row, whole.layout.row));
    REQUIRE(parts.self == whole.self);
    CHECK(parts.depths() == whole.depths());
    CHECK(parts.layout.busy == whole.layout.busy);
    CHECK(parts.layout.overlaps == whole.layout.overlaps);
    CHECK(parts.layout.first_overlap == whole.layout.first_overlap);
  }
}

TEST_CASE("row_layout: layout in parts equals layout in one when calls nest under a slice that spans the lane") {
  ThreadPool pool(4);
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Item> items;
    const std::function<void(Ns, Ns, int)> add = [&](Ns begin, Ns end, int depth) {
      items.push_back({begin, end - begin});
      for (Ns at = begin + random.in(0, 3); depth < 7 && at < end;) {
        const Ns until = std::min(end, at + random.in(1, std::max<Ns>(1, (end - begin) * 2 / 3)));
        add(at, until, depth + 1);
        at = until + random.in(0, 4);
      }
    };
    add(0, random.in(50, 800), 0);
    const Laid whole = lay_out(items);
    const Laid parts = lay_out(items, RowRule::Nest, 0, pool, 4);
    CHECK(whole.layout.overlaps == 0);
    REQUIRE(parts.depths() == whole.depths());
    REQUIRE(parts.self == whole.self);
    CHECK(parts.layout.busy == whole.layout.busy);
  }
}
