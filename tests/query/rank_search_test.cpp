#include "core/query/bounded/rank_search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/query/bounded/covered_time.h"
#include "core/query/range_stats.h"
#include "tests/support/gen_trace.h"
#include "tests/support/oracles.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr Ns kMostNs = std::numeric_limits<Ns>::max();
constexpr std::array<double, 6> kAsked = {0, 0.25, 0.5, 0.9, 0.99, 1};

struct Shown {
  std::size_t list;
  Ns value;
};
using Lists = std::vector<std::vector<Ns>>;

std::vector<Shown> shuffled(const Lists& lists, std::uint64_t seed) {
  std::vector<Shown> all;
  for (std::size_t l = 0; l < lists.size(); ++l) {
    for (const Ns value : lists[l]) all.push_back({l, value});
  }
  Random random(seed);
  for (std::size_t i = all.size(); i-- > 1;) std::swap(all[i], all[random.next() % (i + 1)]);
  return all;
}

// Compares with each list, sorted. Returns the number of passes.
std::size_t check_ranks(const Lists& lists, RankMemory memory, std::size_t shares, std::uint64_t seed = 1) {
  const std::vector<Shown> all = shuffled(lists, seed);
  std::vector<RankSearch::List> known(lists.size());
  for (std::size_t l = 0; l < lists.size(); ++l) {
    if (!lists[l].empty()) known[l] = {std::ranges::min(lists[l]), std::ranges::max(lists[l]), lists[l].size()};
  }
  std::vector<std::vector<std::uint64_t>> counts(shares, std::vector<std::uint64_t>(lists.size()));
  for (std::size_t i = 0; i < all.size(); ++i) ++counts[i % shares][all[i].list];
  RankSearch search(known, counts, kAsked, memory);
  while (search.next_pass()) {
    test_pool().parallel_for(shares, [&](std::size_t s) {
      for (std::size_t i = s; i < all.size(); i += shares) search.look_at(s, all[i].list, all[i].value);
    });
    search.end_pass(test_pool());
  }
  CHECK(search.held().values <= memory.values);
  CHECK(search.held().bins <= std::max(memory.bins, shares * 65));
  for (std::size_t l = 0; l < lists.size(); ++l) {
    if (lists[l].empty()) continue;
    CAPTURE(l);
    std::vector<Ns> sorted = lists[l];
    std::ranges::sort(sorted);
    for (std::size_t q = 0; q < kAsked.size(); ++q) REQUIRE(search.quantile(l, q) == percentile(sorted, kAsked[q]));
  }
  return search.passes();
}

std::vector<Ns> random_values(Random& random, std::size_t n) {
  const std::int64_t kind = random.in(0, 6);
  const Ns same = static_cast<Ns>(random.next() >> 1);
  std::vector<Ns> values;
  for (std::size_t i = 0; i < n; ++i) {
    const Ns any = static_cast<Ns>(random.next() >> 1);
    values.push_back(kind == 0   ? random.in(0, 3)                          // heavy ties
                     : kind == 1 ? same                                     // all equal
                     : kind == 2 ? any                                      // everywhere
                     : kind == 3 ? any >> random.in(0, 62)                  // of every magnitude
                     : kind == 4 ? 5000 + random.in(0, 3000)                // short work
                     : kind == 5 ? (random.chance(0.5) ? 0 : kMostNs)       // nothing between the ends
                                 : (random.chance(0.999) ? 7 : 1'000'000'000 + any % 5));  // a rare outlier
  }
  return values;
}

}  // namespace

TEST_CASE("rank_search: quantiles equal those of sorted lists, for any memory and number of shares") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    Lists lists;
    const auto n = static_cast<std::size_t>(random.in(1, 12));
    for (std::size_t l = 0; l < n; ++l)
      lists.push_back(random_values(random, static_cast<std::size_t>(random.in(0, random.chance(0.2) ? 3000 : 60))));
    const auto values = static_cast<std::size_t>(random.in(0, 100)), bins = static_cast<std::size_t>(random.in(0, 2000));
    CAPTURE(values);
    CAPTURE(bins);
    check_ranks(lists, {values, bins}, static_cast<std::size_t>(random.in(1, 5)), seed);
  }
}

TEST_CASE("rank_search: one pass suffices where all values fit") {
  Lists lists(4);
  for (Ns i = 0; i < 50; ++i) lists[0].push_back(i * i * i * 1'000'003);
  for (Ns i = 0; i < 49; ++i) lists[2].push_back(i);
  lists[3] = {7};
  CHECK(check_ranks(lists, {100, 0}, 3) == 1);
  CHECK(check_ranks(lists, {99, 1000}, 3) > 1);
}

TEST_CASE("rank_search: one huge list among many small ones takes three passes") {
  Random random(5);
  Lists lists(2000);
  for (std::vector<Ns>& list : lists) list = {random.in(0, 100), random.in(0, 1'000'000), 3};
  lists[777].clear();
  for (int i = 0; i < 200'000; ++i) lists[777].push_back(5000 + random.in(0, 9000));
  // The small ones are kept while the huge one is counted; then a few of its bins are counted, and a few of these kept.
  CHECK(check_ranks(lists, {7000, 12000}, 3) == 3);
}

TEST_CASE("rank_search: lists without room for their bins wait for a later pass") {
  Random random(9);
  Lists lists(300);
  for (std::vector<Ns>& list : lists) list = random_values(random, 100);
  CHECK(check_ranks(lists, {10, 0}, 2) > 100);
  CHECK(check_ranks(lists, {10, 1'000'000}, 2) < 15);
}

TEST_CASE("rank_search: the smallest and largest possible values are ranked") {
  const Ns least = std::numeric_limits<Ns>::min();
  CHECK(check_ranks({{0, kMostNs}, {least, kMostNs, 0, -1}, {kMostNs, kMostNs, kMostNs - 1}}, {0, 0}, 2) > 1);
}

TEST_CASE("rank_search: passes end and memory stays bounded even if values change between passes") {
  for (const RankMemory memory : {RankMemory{1000, 0}, RankMemory{10, 500}, RankMemory{0, 0}}) {
    RankSearch search({{5, 900, 300}, {0, 0, 0}}, {{200, 0}, {100, 0}}, kAsked, memory);
    Random random(1);
    std::size_t passes = 0;
    while (search.next_pass()) {
      REQUIRE(++passes < 100);
      for (std::size_t i = 0; i < 500; ++i) search.look_at(i % 2, i % 3 == 0 ? 1 : 0, random.in(-10, 2000));
      search.end_pass(test_pool());
    }
    CHECK(search.held().values <= memory.values);
  }
}

TEST_CASE("rank_search: bins are contiguous and match their bounds") {
  for (std::uint8_t bits = 0; bits <= 16; ++bits) {
    const LogBins bins{bits, static_cast<std::uint8_t>(bits % 5)};
    for (std::size_t bin = 0; bin < std::min(bins.bin_of(UINT64_MAX), std::size_t{100'000}); ++bin) {
      REQUIRE(bins.bin_of(bins.first_of(bin)) == bin);
      REQUIRE(bins.bin_of(bins.last_of(bin)) == bin);
      REQUIRE(bins.first_of(bin + 1) == bins.last_of(bin) + 1);
    }
  }
}

TEST_CASE("covered_time: windows stay within their limit and add up to the whole") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<TimeRange> spans;
    const Ns length = random.in(1, 3000);
    for (std::int64_t n = random.in(0, 80); n > 0; --n) {
      const Ns begin = random.in(0, length);
      spans.push_back({begin, begin + random.in(0, random.chance(0.1) ? length : 20)});
    }
    const auto most = static_cast<std::size_t>(random.in(1, 30));
    const auto inside = [&](TimeRange window) {
      std::vector<TimeRange> out;
      for (const TimeRange& span : spans) {
        if (const TimeRange part = part_within(span, window); !part.empty()) out.push_back(part);
      }
      return out;
    };
    Ns sum = 0, until = -5;
    for_each_window({-5, 9000}, most, {}, [&](TimeRange window) { return inside(window).size(); }, [&](TimeRange window) {
      CHECK(window.begin >= until);
      until = window.end;
      std::vector<TimeRange> parts = inside(window);
      CHECK((parts.size() <= most || window.length() == 1));
      sum += covered_time(parts);
    });
    CHECK(sum == oracle::union_length(spans));
  }
}
