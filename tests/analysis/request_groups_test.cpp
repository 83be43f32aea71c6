#include "core/analysis/requests/request_groups.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/support/gen_rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/hand_rollout.h"

using namespace tv;
using namespace tv::test;

namespace {

}  // namespace

TEST_CASE("request groups: median, ratio, spread and lost time match a worked example") {
  // Prompt 7: 2, 4 and 9 s on two workers. Median 4, ratio 9 / 4 = 2.25, spread 7, lost 7 + 5 + 0 = 12.
  // Prompt 8: 1 and 3 s. Median 2, ratio 1.5, lost 2. Prompt 9 is alone, one request has no prompt.
  const auto rollout = HandRollout()
                           .add({.worker = 0, .seconds = 2, .batch = 7})
                           .add({.worker = 0, .seconds = 3, .batch = 8})
                           .add({.worker = 0, .seconds = 5, .batch = 9})
                           .add({.worker = 0, .seconds = 5})
                           .add({.worker = 1, .seconds = 9, .batch = 7})
                           .add({.worker = 1, .seconds = 4, .batch = 7})
                           .add({.worker = 1, .seconds = 1, .batch = 8})
                           .add({.step = 2, .worker = 1, .seconds = 1, .batch = 7})
                           .build();
  const RequestGroups found = request_groups(*rollout, all_requests(*rollout));
  REQUIRE(found.groups.size() == 2);
  const RequestGroup& seven = found.groups[0];
  CHECK(seven.batch_id == 7);
  CHECK(seven.members == RequestSet{0, 4, 5});
  CHECK(seven.slowest == 4);
  CHECK(seven.max == 9);
  CHECK(seven.median == 4);
  CHECK(seven.ratio == 2.25);
  CHECK(seven.spread() == 7);
  CHECK(seven.lost == 12);
  CHECK(found.groups[1].ratio == 1.5);
  CHECK(found.groups[1].lost == 2);
  CHECK(found.without_sibling == 2);  // prompt 9, and prompt 7 of step 2
  CHECK(found.without_id == 1);
  CHECK(found.by_ratio == std::vector<std::uint32_t>{0, 1});

  // Within workers, 7 keeps its two on worker 1, and 8 has no group.
  const RequestGroups within = request_groups(*rollout, all_requests(*rollout), {.across_workers = false});
  REQUIRE(within.groups.size() == 1);
  CHECK(within.groups[0].members == RequestSet{4, 5});
  // Two consecutive ids per prompt: 6 and 7, 8 and 9.
  const RequestGroups pairs = request_groups(*rollout, all_requests(*rollout), {.siblings = 2});
  REQUIRE(pairs.groups.size() == 2);
  CHECK(pairs.groups[1].members == RequestSet{1, 2, 6});
  CHECK(pairs.groups[1].batch_id == 8);
  // Only selected requests are grouped.
  CHECK(request_groups(*rollout, {0, 4}).groups[0].members == RequestSet{0, 4});
}

TEST_CASE("request groups: the likely rule follows from the batch ids") {
  const HandRequest one{.worker = 0, .seconds = 1, .batch = 3}, other{.worker = 1, .seconds = 1, .batch = 3};
  CHECK(likely_group_rule(*HandRollout().add(one).add(other).build()).across_workers);
  CHECK_FALSE(likely_group_rule(*HandRollout().add(one).add(one).build()).across_workers);
  const HandRequest large{.seconds = 1, .batch = 1'000'000}, again{.step = 2, .seconds = 1, .batch = 1'000'000};
  CHECK_FALSE(likely_group_rule(*HandRollout().add(large).add(large).build()).across_workers);
  CHECK(likely_group_rule(*HandRollout().add(large).add(again).build()).across_workers);
  CHECK(likely_group_rule(*HandRollout().add({.seconds = 1}).add({.seconds = 1}).build()).across_workers);
}

TEST_CASE("request groups: an empty selection has no groups, and ratios to a zero median are 1 or infinite") {
  CHECK(request_groups(*HandRollout().build(), {}).groups.empty());
  const auto zero = HandRollout().add({.batch = 0}).add({.batch = 0}).build();
  CHECK(request_groups(*zero, {0, 1}).groups[0].ratio == 1);
  CHECK(request_groups(*zero, {0}).without_sibling == 1);
  const auto infinite = HandRollout().add({.batch = 0}).add({.batch = 0}).add({.seconds = 5, .batch = 0}).build();
  CHECK(std::isinf(request_groups(*infinite, {0, 1, 2}).groups[0].ratio));
}

TEST_CASE("request groups: groups match those made with a map") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    const auto rollout = gen_rollout(seed, {.steps = 2, .workers = 3, .requests = 10});
    for (const bool across : {true, false}) {
      std::map<std::tuple<std::uint32_t, std::int64_t, std::uint32_t>, RequestSet> slow;
      for (RequestIx r = 0; r < rollout->size(); ++r) {
        slow[{rollout->step[r], rollout->request(r).batch_id, across ? 0 : rollout->worker[r]}].push_back(r);
      }
      const RequestGroups fast = request_groups(*rollout, all_requests(*rollout), {.across_workers = across});
      REQUIRE(fast.groups.size() == slow.size());
      std::size_t g = 0;
      for (const auto& [key, members] : slow) {
        const RequestGroup& group = fast.groups[g++];
        CHECK(group.members == members);
        for (const RequestIx r : members) CHECK(rollout->seconds[r] <= group.max);
        CHECK(rollout->seconds[group.slowest] == group.max);
      }
      for (std::size_t i = 1; i < fast.by_ratio.size(); ++i) {
        CHECK(fast.groups[fast.by_ratio[i - 1]].ratio >= fast.groups[fast.by_ratio[i]].ratio);
        CHECK(fast.groups[fast.by_lost[i - 1]].lost >= fast.groups[fast.by_lost[i]].lost);
      }
    }
  }
}
