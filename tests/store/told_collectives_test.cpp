#include "core/store/logs/told_collectives.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/store/collectives/stream_match.h"

using namespace tv;

namespace {

// Names of one kernel, as the keys of a file tell its collectives.
std::vector<std::uint64_t> names(const std::vector<std::string>& keys) {
  StringTable table;
  for (const std::string& key : keys) table.intern(key);
  std::vector<std::uint64_t> out;
  for (const std::uint64_t told : told_collectives(table)) out.push_back(told_name(101, told));
  return out;
}

}  // namespace

TEST_CASE("told_collectives: equal group, ranks and number are the same collective, also in two files") {
  const auto a = names({told_key({"1", "[0, 1]", "7"}), told_key({"1", "[0, 1]", "8"}), told_key({"1", "[2, 3]", "7"})});
  const auto b = names({"another key", told_key({"1", "[0,1]", "7"}), told_key({"2", "[0,1]", "7"})});
  REQUIRE(a.size() == 3);
  REQUIRE(b.size() == 3);
  CHECK(a[0] == b[1]);
  CHECK(a[0] != a[1]);
  CHECK(a[0] != a[2]);
  CHECK(b[2] != a[0]);
  CHECK(b[0] == 101);
  for (const std::uint64_t name : a) CHECK(what_is_told(name) == Told::Collective);
  CHECK(what_is_told(b[0]) == Told::Kernel);
  CHECK(told_name(103, 0) == 103);
}

TEST_CASE("told_collectives: without a number or ranks only the group is known") {
  const auto found = names({told_key({"1", "[0, 1]", ""}), told_key({"1", "", "7"}), told_key({"1", "[]", "8"})});
  for (const std::uint64_t name : found) CHECK(what_is_told(name) == Told::Group);
  CHECK(found[0] != found[1]);
  CHECK(found[1] == found[2]);
}

TEST_CASE("told_collectives: the ranks of a group may come from another record of the file") {
  const auto found = names({told_key({"1", "", "7"}), told_group_key("1", "[0, 1]"), told_key({"1", "[0, 1]", "7"})});
  CHECK(found[0] == found[2]);
  CHECK(what_is_told(found[0]) == Told::Collective);
}

TEST_CASE("told_collectives: without records of collectives the result is empty") {
  StringTable keys;
  keys.intern("flow");
  keys.intern(told_group_key("1", "[0]"));
  CHECK(told_collectives(keys).empty());
}

TEST_CASE("told_collectives: told collectives place clocks even if work is regular, and only within a group") {
  const auto stream = [](std::string_view ranks, Ns clock) {
    StringTable keys;
    for (int i = 0; i < 200; ++i) keys.intern(told_key({"1", ranks, std::to_string(i)}));
    CollectiveStream out;
    Ns end = kSecond;
    for (const std::uint64_t told : told_collectives(keys)) {
      out.push_back({told_name(101, told), end - 50 * kMicrosecond + clock, end + clock});
      end += 500 * kMicrosecond;
    }
    return out;
  };
  const CollectiveStream own = stream("[0, 1]", 0), late = stream("[0,1]", 3 * kSecond), other = stream("[2, 3]", 0);
  const StreamProbe a(own), b(late), c(other);
  const auto found = match_streams(a, b);
  REQUIRE(found);
  CHECK(found->offset == -3 * kSecond);
  CHECK(found->period == 0);
  CHECK(!match_streams(a, c));
}

// Ranks 0 to 3: two groups of neighbours work all the time, and one in 40 collectives joins a rank and the next but one. All end
// at regular intervals, so only the records tell them apart.
TEST_CASE("told_collectives: a group that is rare on its stream is found") {
  for (const bool numbered : {true, false}) {
    CAPTURE(numbered);
    const auto stream = [&](int rank, Ns clock) {
      StringTable keys;
      std::vector<StrId> of_kernel;
      const auto told = [&](const std::string& ranks, int number) {
        of_kernel.push_back(keys.intern(told_key({"g", ranks, numbered ? std::to_string(number) : std::string()})));
      };
      for (int i = 0; i < 2000; ++i) {
        told(rank < 2 ? "[0, 1]" : "[2, 3]", i);
        if (i % 40 == 39) told(rank % 2 == 0 ? "[0, 2]" : "[1, 3]", i / 40);
      }
      const std::vector<std::uint64_t> names = told_collectives(keys);
      CollectiveStream out;
      Ns end = kSecond;
      for (const StrId key : of_kernel) {
        out.push_back({told_name(101, names[idx(key)]), end - 50 * kMicrosecond + clock, end + clock});
        end += 500 * kMicrosecond;
      }
      return out;
    };
    const CollectiveStream one = stream(0, 0), two = stream(1, 0), three = stream(2, 100 * kMicrosecond), four = stream(3, 0);
    const StreamProbe a(one), b(two), c(three), d(four);
    REQUIRE(match_streams(a, b));
    CHECK(match_streams(a, b)->offset == 0);
    const auto rare = match_streams(a, c);
    REQUIRE(rare);
    CHECK(rare->offset == -100 * kMicrosecond);
    CHECK(rare->matched == 50);
    CHECK(rare->part == 1);
    CHECK(!match_streams(a, d));
  }
}
