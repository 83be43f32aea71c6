#include "core/store/segments/lane_slots.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/store/trace/row_layout.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

bool at_once(TimeRange a, TimeRange b) { return a.begin <= b.end + kRoundingSlack && b.begin <= a.end + kRoundingSlack; }

// The rule in plain code: each share goes to the first level that is free at its time.
std::vector<std::uint32_t> by_rule(const std::vector<LaneShare>& shares) {
  std::vector<std::vector<LaneShare>> levels;
  std::vector<std::size_t> level_of;
  for (const LaneShare& share : shares) {
    std::size_t level = 0;
    const auto taken = [&](const LaneShare& other) { return at_once(share.extent, other.extent); };
    while (share.slots > 0 && level < levels.size() && std::ranges::any_of(levels[level], taken)) ++level;
    if (share.slots > 0 && level == levels.size()) levels.emplace_back();
    if (share.slots > 0) levels[level].push_back(share);
    level_of.push_back(level);
  }
  std::vector<std::uint32_t> first;
  for (const std::size_t level : level_of) {
    std::uint32_t slots = 0;
    for (std::size_t l = 0; l < level; ++l) slots += std::ranges::max(levels[l], {}, &LaneShare::slots).slots;
    first.push_back(slots);
  }
  return first;
}

}  // namespace

TEST_CASE("lane_slots: segments that follow each other share slots, simultaneous ones do not") {
  constexpr Ns kMs = kMillisecond;
  const std::vector<LaneShare> shares = {{{0, 10 * kMs}, 2}, {{20 * kMs, 30 * kMs}, 3}, {{5 * kMs, 25 * kMs}, 1}, {{40 * kMs, 50 * kMs}, 1}};
  CHECK(first_slots(shares) == std::vector<std::uint32_t>{0, 0, 3, 0});
  CHECK(first_slots({}).empty());
}

TEST_CASE("lane_slots: a segment without slots takes none from others") {
  const std::vector<LaneShare> shares = {{{0, 100}, 0}, {{0, 100}, 1}};
  CHECK(first_slots(shares) == std::vector<std::uint32_t>{0, 0});
}

TEST_CASE("lane_slots: random segments in any order follow the rule") {
  std::size_t shared = 0, below = 0;
  for (const std::uint64_t seed : seeds(100)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<LaneShare> shares;
    for (int i = 0; i < 30; ++i) {
      const Ns begin = random.in(0, 400) * kRoundingSlack / 2, length = random.chance(0.2) ? 0 : random.in(0, 60) * kRoundingSlack / 2;
      shares.push_back({{begin, begin + length}, static_cast<std::uint32_t>(random.in(0, 3))});
    }
    const std::vector<std::uint32_t> first = first_slots(shares);
    REQUIRE(first == by_rule(shares));
    for (std::size_t s = 0; s < shares.size(); ++s) ++(first[s] == 0 ? shared : below);
  }
  CHECK(shared > 3 * rounds(100));
  CHECK(below > rounds(100));
}
