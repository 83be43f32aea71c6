#include "core/base/memory/append_list.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// A list, the values it should hold, and the number of blocks they lie in.
struct Version {
  AppendList<int> list;
  std::vector<int> values;

  std::size_t blocks() const {
    std::size_t breaks = list.empty() ? 0 : 1;
    for (std::size_t i = 1; i < list.size(); ++i) breaks += &list[i - 1] + 1 != &list[i] ? 1 : 0;
    return breaks;
  }
};

}  // namespace

TEST_CASE("append_list: a copy shares memory, and an append to it leaves the original unchanged") {
  AppendList<int> before;
  for (int i = 0; i < 100; ++i) before.push_back(i);
  before.share();
  AppendList<int> after = before;
  after.push_back(100);
  CHECK(before.size() == 100);
  REQUIRE(after.size() == 101);
  CHECK(&after[0] == &before[0]);
  CHECK(&after[99] == &before[99]);
  CHECK(after[100] == 100);
  CHECK(after.span(10, 20).data() == &before[10]);
  CHECK(after.span(101, 0).empty());
}

TEST_CASE("append_list: versions grown from each other hold the right values in few blocks") {
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Version> versions(1);
    for (int round = 0; round < 60; ++round) {
      const auto last = static_cast<std::int64_t>(versions.size()) - 1;
      Version& grown = versions[static_cast<std::size_t>(random.chance(0.8) ? last : random.in(0, last))];
      Version next = grown;
      for (std::int64_t n = random.in(0, random.chance(0.1) ? 500 : 20); n > 0; --n) {
        next.values.push_back(static_cast<int>(random.in(0, 999)));
        next.list.push_back(next.values.back());
      }
      if (random.chance(0.75)) next.list.share();
      // Shared blocks are not copied, except when two of them are merged.
      std::size_t copied = 0;
      for (std::size_t i = 0; i < grown.list.size(); ++i) copied += &next.list[i] == &grown.list[i] ? 0 : 1;
      REQUIRE(copied <= grown.list.own().size() + next.list.size() / 8);
      versions.push_back(std::move(next));
    }
    for (const Version& version : versions) {
      REQUIRE(std::ranges::equal(version.list, version.values));
      REQUIRE(version.list.size() == version.values.size());
      REQUIRE(version.blocks() <= AppendList<int>::kMostBlocks + 1);  // one more for the unshared values
    }
  }
}

TEST_CASE("append_list: standard algorithms, iterators and first() match those of a vector") {
  static_assert(std::random_access_iterator<AppendList<int>::Iterator>);
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    Random random(seed);
    AppendList<int> list;
    std::vector<int> values;
    for (int n = 0; n < 200; ++n) {
      values.push_back(n + static_cast<int>(random.in(0, 1)));
      list.push_back(values.back());
      if (random.chance(0.1)) list.share();
    }
    const auto wanted = static_cast<int>(random.in(0, 200));
    CHECK(std::ranges::lower_bound(list, wanted) - list.begin() == std::ranges::lower_bound(values, wanted) - values.begin());
    CHECK(std::ranges::max_element(list) - list.begin() == std::ranges::max_element(values) - values.begin());
    const auto last = list.end() - 1;
    CHECK(*last == values.back());
    CHECK(last[-3] == values[values.size() - 4]);
    CHECK(list.begin() < last);
    const AppendList<int> first = list.first(static_cast<std::size_t>(wanted));
    CHECK(std::ranges::equal(first, std::span(values).first(static_cast<std::size_t>(wanted))));
  }
}
