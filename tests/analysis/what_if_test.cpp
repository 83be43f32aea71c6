#include "core/analysis/rollout/what_if.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include "tests/support/gen_rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/hand_rollout.h"

using namespace tv;
using namespace tv::test;
using Kind = WhatIfRule::Kind;

namespace {

double in_seconds(Ns ns) { return static_cast<double>(ns) * 1e-9; }

// One step of 22 s: worker 0's requests end at 1, 2, 3 and 20, worker 1's at 4 and 5. The barrier opens at 20, two
// seconds follow.
std::shared_ptr<const Rollout> long_tail() {
  return HandRollout()
      .add({.worker = 0, .seconds = 1})
      .add({.worker = 0, .seconds = 2})
      .add({.worker = 0, .seconds = 3})
      .add({.worker = 0, .seconds = 20})
      .add({.worker = 1, .seconds = 4})
      .add({.worker = 1, .seconds = 5})
      .phase({.worker = 0, .end = 22, .seconds = 2, .event = "broadcast_duration"})
      .build();
}

// How many requests leave their worker if each, longest first, goes to the worker with the least work, found by looking at all of
// them. Of several, its own is preferred, then the first.
std::size_t moved_plainly(const Rollout& rollout) {
  std::vector<RequestIx> longest_first = all_requests(rollout);
  const auto length = [&](RequestIx r) { return rollout.end[r] - rollout.begin[r]; };
  std::ranges::stable_sort(longest_first, std::greater(), length);
  std::vector<Ns> work(rollout.workers.size());
  std::size_t moved = 0;
  for (const RequestIx r : longest_first) {
    const Ns least = *std::ranges::min_element(work);
    const bool stays = work[rollout.worker[r]] == least;
    work[stays ? rollout.worker[r] : static_cast<std::size_t>(std::ranges::find(work, least) - work.begin())] += length(r);
    moved += stays ? 0 : 1;
  }
  return moved;
}

}  // namespace

TEST_CASE("what if: truncating durations at a quantile saves the time of a worked example") {
  // Durations 1 2 3 4 5 20: P50 = 3.5; 4, 5 and 20 are cut to 3.5, the step ends 16.5 s earlier.
  const WhatIf half = what_if(*long_tail(), {Kind::TruncateDuration, 0.5});
  REQUIRE(half.steps.size() == 1);
  CHECK(half.steps[0].seconds == doctest::Approx(22));
  CHECK(half.saved == doctest::Approx(16.5));
  CHECK(half.steps[0].estimate() == doctest::Approx(5.5));
  CHECK(half.worker_seconds == doctest::Approx(33));  // two workers
  CHECK(half.touched == 3);
  CHECK(half.requests == 6);
}

TEST_CASE("what if: dropping late requests saves the time of a worked example") {
  // 80 % of six are 4.8, so five: at 5 s. One request is dropped, 15 s are saved.
  const WhatIf late = what_if(*long_tail(), {Kind::DropLate, 0.8});
  CHECK(late.saved == doctest::Approx(15));
  CHECK(late.touched == 1);
  // At 0 the first one still completes.
  CHECK(what_if(*long_tail(), {Kind::DropLate, 0}).saved == doctest::Approx(19));
}

TEST_CASE("what if: rebalancing saves the time of a worked example") {
  // No better than the longest request.
  CHECK(what_if(*long_tail(), {Kind::Rebalance}).saved == 0);
  CHECK(what_if(*long_tail(), {Kind::Rebalance}).touched == 0);
  // Worker 0 took 8 s for 2 + 3 + 3 s of requests, one after the other, worker 1 took 4 s for 4 s: a pace of 12 / 12 =
  // 1. Longest first: 4 stays on worker 1 (both are idle, so its own), 3 and 3 to worker 0 -> 6, 2 to worker 1 -> 6.
  // Both take 6 s: 2 s saved, the request of 2 s moved.
  const auto uneven = HandRollout()
                          .add({.worker = 0, .begin = 0, .seconds = 2})
                          .add({.worker = 0, .begin = 2, .seconds = 3})
                          .add({.worker = 0, .begin = 5, .seconds = 3})
                          .add({.worker = 1, .begin = 0, .seconds = 4})
                          .build();
  const WhatIf even = what_if(*uneven, {Kind::Rebalance});
  CHECK(even.saved == doctest::Approx(2));
  CHECK(even.touched == 1);
  CHECK(what_if(*HandRollout().add({.seconds = 3}).build(), {Kind::Rebalance}).saved == 0);
}

TEST_CASE("what if: rebalancing deals requests of equal lengths to the workers as a plain search does") {
  bool saves = false;
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto some = [&](int most) { return static_cast<int>(random() % static_cast<std::uint64_t>(most)); };
    HandRollout hand;
    const int workers = 2 + some(9), requests = 1 + some(40);
    for (int w = 0; w < workers; ++w) hand.file(1, w);
    std::vector<double> free_at(static_cast<std::size_t>(workers));  // a worker's requests follow each other
    for (int r = 0; r < requests; ++r) {
      const int worker = std::min(some(workers), some(workers));  // the first ones get more
      double& begin = free_at[static_cast<std::size_t>(worker)];
      const double seconds = 1 + some(4);
      hand.add({.worker = worker, .begin = begin, .seconds = seconds});
      begin += seconds;
    }
    const auto rollout = hand.build();
    const WhatIf even = what_if(*rollout, {Kind::Rebalance});
    CHECK(even.touched == (even.saved > 0 ? moved_plainly(*rollout) : 0));
    saves |= even.saved > 0;
  }
  CHECK(saves);
}

TEST_CASE("what if: truncating at a token limit ends requests as in a worked example") {
  // Turns: 100 tokens in [1, 2), a tool until 5, 200 tokens in [5, 9), then 1 s of reward.
  const HandRequest request{.seconds = 10,
                              .tokens = 300,
                              .turns = {{.engine_end = 2, .engine_call = 1, .tokens = 100},
                                        {.engine_end = 9, .engine_call = 4, .tokens = 200}},
                              .engine = 5,
                              .tool = 3,
                              .reward = 1};
  const auto rollout = HandRollout().add(request).build();
  CHECK(in_seconds(truncated_end(*rollout, 0, 300)) == doctest::Approx(10));
  CHECK(in_seconds(truncated_end(*rollout, 0, 150)) == doctest::Approx(7));    // a quarter of [5, 9), then the reward
  CHECK(in_seconds(truncated_end(*rollout, 0, 100)) ==
        doctest::Approx(6));  // the second turn begins, and yields nothing
  CHECK(in_seconds(truncated_end(*rollout, 0, 50)) == doctest::Approx(2.5));   // half of [1, 2), then the reward
  CHECK(in_seconds(truncated_end(*rollout, 0, 0)) == doctest::Approx(2));
  CHECK(in_seconds(truncated_end(*rollout, 0, -3)) == doctest::Approx(2));
  CHECK(what_if(*rollout, {Kind::TruncateTokens, 150}).saved == doctest::Approx(3));
  CHECK(what_if(*rollout, {Kind::TruncateTokens, 150}).touched == 1);

  // Without the turns' times, 5 + 3 s of engine and tools shrink in proportion, here to half.
  HandRequest vague = request;
  for (HandTurn& turn : vague.turns) turn.engine_end = -1;
  CHECK(in_seconds(truncated_end(*HandRollout().add(vague).build(), 0, 150)) == doctest::Approx(6));
  // Without tokens: not touched.
  CHECK(in_seconds(truncated_end(*HandRollout().add({.seconds = 10, .engine = 9}).build(), 0, 1)) ==
        doctest::Approx(10));
}

TEST_CASE("what if: a rollout without requests saves nothing, and every rule has a description") {
  for (const Kind kind : {Kind::TruncateDuration, Kind::TruncateTokens, Kind::DropLate, Kind::Rebalance}) {
    CHECK(what_if(*HandRollout().build(), {kind, 0.5}).steps.empty());
    const WhatIf empty = what_if(*HandRollout().file(1, 0).build(), {kind, 0.5});
    REQUIRE(empty.steps.size() == 1);
    CHECK(empty.saved == 0);
    CHECK_FALSE(assumptions(kind).empty());
    CHECK_FALSE(describe({kind, 0.95}).empty());
  }
  CHECK(describe({Kind::TruncateDuration, 0.95}) == "truncate at P95 of duration");
  CHECK(describe({Kind::TruncateTokens, 1000}) == "at most 1,000 tokens");
}

TEST_CASE("what if: savings are never negative, never grow with the limit, and are zero at its maximum") {
  for (const std::uint64_t seed : seeds(30)) {
    CAPTURE(seed);
    const auto rollout = gen_rollout(seed, {.steps = 3,
                                            .workers = 1 + static_cast<int>(seed % 3),
                                            .requests = 1 + static_cast<int>(seed % 11),
                                            .slow_step = static_cast<int>(seed % 3)});
    const double most_tokens = *std::ranges::max_element(rollout->tokens);
    for (const Kind kind : {Kind::TruncateDuration, Kind::TruncateTokens, Kind::DropLate}) {
      const double whole = kind == Kind::TruncateTokens ? most_tokens : 1;
      std::vector<double> before(rollout->steps.size(), 1e9);
      for (int i = 0; i <= 40; ++i) {
        const WhatIf now = what_if(*rollout, {kind, whole * i / 40});
        double sum = 0;
        for (std::size_t s = 0; s < now.steps.size(); ++s) {
          CHECK(now.steps[s].saved >= 0);
          CHECK(now.steps[s].saved <= before[s]);
          CHECK(now.steps[s].saved <= now.steps[s].seconds);
          before[s] = now.steps[s].saved;
          sum += now.steps[s].saved;
        }
        CHECK(now.saved == doctest::Approx(sum));
        if (i == 40) {
          CHECK(now.saved == 0);
          CHECK(now.touched == 0);
        }
      }
    }
    const WhatIf even = what_if(*rollout, {Kind::Rebalance});
    for (const WhatIfStep& step : even.steps) {
      CHECK(step.saved >= 0);
      // Never faster than the longest request of the step.
      const RolloutStep& s = rollout->steps[step.step];
      for (RequestIx r = s.first; r < s.end; ++r) {
        CHECK(step.estimate() >= in_seconds(rollout->end[r] - rollout->begin[r]) - 1e-9);
      }
    }
  }
}

TEST_CASE("what if: truncating matches cutting the turns of each request") {
  // The generator's requests, cut by hand: the whole of every turn that fits, a share of the turn that does not, then
  // the reward as it was. The new step ends when the last of them does.
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    const auto rollout = gen_rollout(seed);
    const double most = 250;
    for (const WhatIfStep& row : what_if(*rollout, {Kind::TruncateTokens, most}).steps) {
      const RolloutStep& step = rollout->steps[row.step];
      double last = 0, cut_last = 0;
      for (RequestIx r = step.first; r < step.end; ++r) {
        const RolloutRequest& request = rollout->request(r);
        double left = most, stop = -1;
        for (std::uint32_t t = 0; t < request.turn_count && stop < 0; ++t) {
          const RolloutTurn& turn = rollout->log().turns[request.first_turn + t];
          if (turn.tokens > left) {
            stop = in_seconds(turn.engine_end) - turn.engine_call + turn.engine_call * left / turn.tokens;
          }
          left -= turn.tokens;
        }
        const double end = in_seconds(rollout->end[r]);
        const double after =
            end - in_seconds(rollout->log().turns[request.first_turn + request.turn_count - 1].engine_end);
        last = std::max(last, end);
        cut_last = std::max(cut_last, stop < 0 ? end : stop + after);
      }
      CHECK(row.saved == doctest::Approx(last - cut_last).epsilon(1e-6));
    }
  }
}
