// Distribution of durations, the slowest requests, the cost and number of turns.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/requests/request_breakdown.h"
#include "core/analysis/requests/request_cdf.h"
#include "core/analysis/scripts/turn_cost.h"
#include "core/analysis/scripts/turn_distribution.h"
#include "tests/support/gen_rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/rollout_sketch.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("request_cdf: shares, mean and quantiles match a worked example") {
  RolloutSketch s;
  s.file(1, 0).request(4).request(1).request(2).request(2);
  const auto rollout = s.build();
  const RequestCdf cdf = request_cdf(*rollout, all_requests(*rollout));
  CHECK(cdf.seconds == std::vector<double>{1, 2, 2, 4});
  CHECK(cdf.requests == std::vector<RequestIx>{1, 2, 3, 0});  // ties keep their order
  CHECK(cdf.share(0) == 0.25);
  CHECK(cdf.share(3) == 1);
  CHECK(cdf.at(0.5) == 0);
  CHECK(cdf.at(2) == 0.75);
  CHECK(cdf.at(3.9) == 0.75);
  CHECK(cdf.at(4) == 1);
  CHECK(cdf.summary.mean == 2.25);
  CHECK(cdf.summary.quantiles[0] == 2);
  CHECK(cdf.summary.quantiles[1] == doctest::Approx(2.8));  // h = 2.4: 2 + 0.4 * 2
}

TEST_CASE("request_cdf: an empty selection has no points, and requests without a duration are left out") {
  RolloutSketch s;
  s.file(1, 0).request(3).request(kNotMeasured);
  const auto rollout = s.build();
  const RequestCdf none = request_cdf(*rollout, {});
  CHECK(std::isnan(none.at(1)));
  CHECK(none.points(10).empty());
  const RequestCdf one = request_cdf(*rollout, {0, 1});
  CHECK(one.seconds.size() == 1);
  CHECK(one.points(10) == std::vector<std::size_t>{0});
  CHECK(one.summary.quantiles[5] == 3);
}

TEST_CASE("request_cdf: reduced points keep both ends, rise, and are at most as many as asked for") {
  for (const std::size_t n : {1u, 4u, 5u, 19u, 21u, 100u, 1001u, 20'000u}) {
    RequestCdf cdf;
    cdf.seconds.resize(n);
    for (const std::size_t most : {4u, 5u, 20u, 300u, 2000u}) {
      CAPTURE(n);
      CAPTURE(most);
      const std::vector<std::size_t> points = cdf.points(most);
      CHECK(points.size() <= std::max<std::size_t>(most, 4));
      CHECK(points.front() == 0);
      CHECK(points.back() == n - 1);
      CHECK(std::ranges::adjacent_find(points, std::ranges::greater_equal()) == points.end());
      if (n <= most) CHECK(points.size() == n);
    }
  }
}

TEST_CASE("request_cdf: groups hold every request once, and F of t is the share of requests not longer than t") {
  for (const std::uint64_t seed : seeds(30)) {
    CAPTURE(seed);
    const auto rollout = gen_rollout(seed);
    RequestSet some;
    Random random(seed);
    for (const RequestIx r : all_requests(*rollout)) {
      if (random.chance(0.5)) some.push_back(r);
    }
    for (const CdfGroups groups : {CdfGroups::Steps, CdfGroups::Workers}) {
      std::size_t n = 0;
      for (const RequestCdf& cdf : request_cdfs(*rollout, some, groups)) {
        n += cdf.seconds.size();
        const double t = cdf.seconds[random.next() % cdf.seconds.size()];
        std::size_t within = 0;
        for (const RequestIx r : cdf.requests) {
          CHECK((groups == CdfGroups::Steps ? rollout->step[r] : rollout->worker[r]) == cdf.group);
          within += rollout->seconds[r] <= t;
        }
        CHECK(cdf.at(t) == static_cast<double>(within) / static_cast<double>(cdf.seconds.size()));
      }
      CHECK(n == some.size());
    }
  }
}

TEST_CASE("request_breakdown: the slowest requests come longest first, and ties keep their order") {
  RolloutSketch s;
  s.file(1, 0).request(2).request(5).request(2).request(kNotMeasured).request(5).request(1);
  const auto rollout = s.build();
  const RequestSet all = all_requests(*rollout);
  CHECK(slowest_requests(*rollout, all, 3) == RequestSet{1, 4, 0});
  CHECK(slowest_requests(*rollout, all, 99) == RequestSet{1, 4, 0, 2, 5, 3});
  CHECK(slowest_requests(*rollout, {}, 3).empty());
  CHECK(slowest_requests(*rollout, all, 0).empty());
  CHECK(median_request(*rollout, {0, 1, 2, 4, 5}) == 2u);  // 1 2 2 5 5
  CHECK(median_request(*rollout, {0, 1}) == 0u);
  CHECK(!median_request(*rollout, {}));
}

TEST_CASE("request_breakdown: exclusive phases add up to 100 %") {
  RolloutSketch s;
  s.file(1, 0).request(4).spends(RequestPhase::Tool, 1).spends(RequestPhase::Reward, 0.5).request(2).request(0);
  const auto rollout = s.build();
  const PhaseShares shares = phase_shares(*rollout, 0);
  CHECK(shares.percent[0] == doctest::Approx(62.5));
  CHECK(shares.percent[1] == doctest::Approx(25));
  CHECK(shares.percent[2] == doctest::Approx(12.5));
  CHECK(phase_shares(*rollout, 2).percent[0] == 0);
  CHECK(main_difference(*rollout, 0, 1) == RequestPhase::Tool);  // engine 2.5 - 2, tool 1 - 0
  CHECK(main_difference(*rollout, 2, 1) == RequestPhase::Other);
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    const auto generated = gen_rollout(seed);
    for (const RequestIx r : all_requests(*generated)) {
      double sum = 0;
      for (const double percent : phase_shares(*generated, r).percent) sum += percent;
      CHECK(sum == doctest::Approx(100).epsilon(1e-12));
    }
  }
}

TEST_CASE("request_breakdown: the ranks are those that verl's script picks") {
  CHECK(script_ranks(0).empty());
  CHECK(script_ranks(1) == std::vector<std::size_t>{0});
  CHECK(script_ranks(12) == std::vector<std::size_t>{10, 11});
  CHECK(script_ranks(52) == std::vector<std::size_t>{50, 51, 50, 51});
  // 130 requests of the reference: 10 + 5 + 5 + 2 = 22
  const std::vector<std::size_t> ranks = script_ranks(130);
  CHECK(ranks.size() == 22);
  CHECK(ranks[10] == 90);
  CHECK(ranks[15] == 120);
  CHECK(ranks[20] == 128);
}

TEST_CASE("request_breakdown: phases are the script's; the turn_ events that replaced two of them count only if asked for") {
  RolloutRequest request;
  request.seconds = 3;
  request.seconds_of[static_cast<std::size_t>(RolloutEvent::main_loop)] = 2.5;
  request.seconds_of[static_cast<std::size_t>(RolloutEvent::turn_engine_call)] = 2;
  request.seconds_of[static_cast<std::size_t>(RolloutEvent::turn_tool_parsing)] = 0.25;
  const auto as_script = script_phases(request, false), renamed = script_phases(request, true);
  CHECK(as_script[1] == NamedSeconds{"main_loop", 2.5});
  CHECK(as_script[8] == NamedSeconds{"engine_call", 0});
  CHECK(as_script[13] == NamedSeconds{"async_rollout_request_complete", 3});
  CHECK(renamed[8] == NamedSeconds{"engine_call", 2});
  CHECK(renamed[6] == NamedSeconds{"tool_parsing", 0.25});
}

TEST_CASE("turn_cost: means, box plot and rates per turn match a worked example") {
  RolloutSketch s;
  s.file(1, 0).request(9, 2).turn(0, 0.1, 1, 0.2, 0.02, 100).turn(1, 0.1, 4, 0.2, 0, 40);
  s.request(3, 1).turn(0, 0.3, 3, 0.4, 0, 100);
  s.request(1, 0);  // no turn at all
  s.file(81, 0).request(5, 1).turn(0, 0, 5, 0);
  const auto rollout = s.build();
  const std::vector<TurnCost> costs = turn_costs(*rollout, all_requests(*rollout));
  REQUIRE(costs.size() == 2);
  CHECK(costs[0].n == 3);
  CHECK(costs[0].engine_call == 3);                         // (1 + 3 + 5) / 3
  CHECK(costs[0].engine_box == std::array{1.0, 2.0, 3.0, 4.0, 5.0});
  CHECK(costs[0].tokens_per_second == 50);                  // 200 tokens in 4 s; the third has no token count
  CHECK(costs[0].tokens == 100);
  CHECK(costs[0].tool_parsing == doctest::Approx(0.02 / 3));  // zeros count
  CHECK(costs[1].turn == 1);
  CHECK(costs[1].tokens_per_second == 10);
  // The script stops at step 80.
  const std::vector<TurnCost> script = script_turn_costs(rollout->log());
  REQUIRE(script.size() == 2);
  CHECK(script[0].n == 2);
  CHECK(script[0].engine_call == 2);
  CHECK(turn_costs(*rollout, {}).empty());
  CHECK(turn_costs(*rollout, {2}).empty());
}

TEST_CASE("turn_distribution: counts and mean durations match a worked example") {
  RolloutSketch s;
  s.file(1, 0).request(1, 1).request(3, 1).request(8, 4).request(5, -1);
  s.file(1, 1).request(2, 1);
  s.file(2, 0).request(0.5, 0);
  const auto rollout = s.build();
  const TurnDistribution d = turn_distribution(*rollout, all_requests(*rollout));
  CHECK(d.turns == std::vector<std::int32_t>{0, 1, 4});
  CHECK(d.count == std::vector<std::vector<std::size_t>>{{0, 1}, {3, 0}, {1, 0}});
  CHECK(d.mean_seconds[1][0] == 2);
  CHECK(std::isnan(d.mean_seconds[1][1]));
  CHECK(d.total == std::vector<std::size_t>{1, 3, 1});
  CHECK(d.total_mean_seconds[2] == 8);
  CHECK(d.turns_not_logged == 1);
  CHECK(turn_distribution(*rollout, {}).turns.empty());
}

TEST_CASE("turn_distribution, turn_cost: every request and every turn counts once") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    const auto rollout = gen_rollout(seed);
    const RequestSet all = all_requests(*rollout);
    const TurnDistribution d = turn_distribution(*rollout, all);
    std::size_t requests = 0, turns = 0;
    for (std::size_t t = 0; t < d.turns.size(); ++t) {
      requests += d.total[t];
      turns += d.total[t] * static_cast<std::size_t>(d.turns[t]);
      for (std::uint32_t s = 0; s < rollout->steps.size(); ++s) {
        const auto n = std::ranges::count_if(all, [&](RequestIx r) {
          return rollout->step[r] == s && rollout->turns[r] == d.turns[t];
        });
        CHECK(d.count[t][s] == static_cast<std::size_t>(n));
      }
    }
    CHECK(requests == all.size());
    std::size_t timed = 0;
    for (const TurnCost& cost : turn_costs(*rollout, all)) timed += cost.n;
    CHECK(timed == turns);
  }
}
