#include "core/base/memory/append_list.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// A list, what it should hold, and how many blocks its values lie in.
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

TEST_CASE("append_list: a copy has the same memory, and what comes to it does not come to the other") {
  AppendList<int> before;
  for (int i = 0; i < 100; ++i) before.push_back(i);
  before.share();
  AppendList<int> after = before;
  after.push_back(100);
  CHECK(before.size() == 100);
  REQUIRE(after.size() == 101);
  CHECK(after.shared_with(before) == 100);
  CHECK(&after[0] == &before[0]);
  CHECK(&after[99] == &before[99]);
  CHECK(after[100] == 100);
  CHECK(after.span(10, 20).data() == &before[10]);
  CHECK(after.span(101, 0).empty());
}

TEST_CASE("append_list: any versions that grow from each other are what they should be, in few blocks") {
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Version> versions(1);
    for (int round = 0; round < 60; ++round) {
      const auto last = static_cast<std::int64_t>(versions.size()) - 1;
      Version next = versions[static_cast<std::size_t>(random.chance(0.8) ? last : random.in(0, last))];
      for (std::int64_t n = random.in(0, random.chance(0.1) ? 500 : 20); n > 0; --n) {
        next.values.push_back(static_cast<int>(random.in(0, 999)));
        next.list.push_back(next.values.back());
      }
      if (random.chance(0.75)) next.list.share();
      versions.push_back(std::move(next));
    }
    for (const Version& version : versions) {
      REQUIRE(std::ranges::equal(version.list, version.values));
      REQUIRE(version.list.size() == version.values.size());
      REQUIRE(version.blocks() <= AppendList<int>::kMostBlocks + 1);  // what is not shared is one more
      const Version& other = versions[static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(versions.size()) - 1))];
      const std::size_t shared = version.list.shared_with(other.list);
      REQUIRE(shared <= std::min(version.list.size(), other.list.size()));
      for (std::size_t i = 0; i < shared; ++i) REQUIRE(&version.list[i] == &other.list[i]);
      if (&version != &other && shared < std::min(version.list.size(), other.list.size())) REQUIRE(&version.list[shared] != &other.list[shared]);
    }
  }
}
