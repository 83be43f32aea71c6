// Clock offsets found from barrier ends, against known true offsets.
#include "core/analysis/clocks/barrier_clock.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "core/analysis/rollout/blame.h"
#include "tests/support/gen_trace.h"
#include "tests/support/hand_rollout.h"

using namespace tv;
using namespace tv::test;

namespace {

// A run whose barriers end with a step's last request; the test sets clock skews and stamp errors.
struct SkewedRun {
  std::vector<double> skew;         // of each worker's clock, seconds
  std::vector<double> jitter = {};  // largest delay of a barrier's stamp, seconds; 0.3 ms where missing
  int steps = 10;
  std::function<bool(int step, int worker)> missing = [](int, int) { return false; };
  std::function<double(int step, int worker)> late = [](int, int) { return 0.0; };  // error of a stamp, seconds

  std::shared_ptr<const Rollout> build(std::uint64_t seed) const {
    std::mt19937_64 random(seed);
    const auto uniform = [&](double most) { return std::uniform_real_distribution<>(0, most)(random); };
    HandRollout out;
    for (int step = 0; step < steps; ++step) {
      const double begin = 60.0 * step;
      std::vector<double> ready;
      for (std::size_t w = 0; w < skew.size(); ++w) ready.push_back(begin + 5 + uniform(20));
      const double free = *std::ranges::max_element(ready);
      for (std::size_t w = 0; w < skew.size(); ++w) {
        const int worker = static_cast<int>(w);
        const double stamp = free + uniform(w < jitter.size() ? jitter[w] : kJitter) + late(step, worker);
        if (missing(step, worker)) continue;
        out.add({.step = step, .worker = worker, .begin = begin + skew[w], .seconds = ready[w] - begin});
        out.phase({.step = step, .worker = worker, .end = stamp + skew[w], .seconds = stamp - ready[w]});
      }
    }
    return out.build();
  }

  static constexpr double kJitter = 0.0003;
};

double seconds_off(const BarrierClocks& clocks, const std::vector<double>& skew, std::size_t worker,
                   std::size_t other) {
  const double found = to_seconds(clocks.workers[worker].offset - clocks.workers[other].offset);
  return std::abs(found + skew[worker] - skew[other]);
}

double most_after(const Rollout& rollout) {
  double most = 0;
  for (const Blame& entry : blame(rollout).entries) {
    for (const BarrierWait& wait : entry.waits) most = std::max(most, wait.after);
  }
  return most;
}

}  // namespace

TEST_CASE("barrier_clock: offsets are found to within the jitter, and only clocks that differ get a proposal") {
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    const SkewedRun run{.skew = {0, 0.0001, 3.25, -0.042, 0, 0}};
    const BarrierClocks clocks = barrier_clocks(*run.build(seed));
    REQUIRE(clocks.workers.size() == 6);
    CHECK(clocks.steps == 10);
    for (std::size_t w = 0; w < 6; ++w) {
      CAPTURE(w);
      const BarrierClock& clock = clocks.workers[w];
      CHECK(clock.has_offset());
      CHECK(clock.steps == 10);
      CHECK(seconds_off(clocks, run.skew, w, 0) <= SkewedRun::kJitter);
      CHECK(clock.residual <= to_ns(SkewedRun::kJitter));
      CHECK(clock.residual <= clock.residual_p90);
      CHECK(clock.proposed == (w == 2 || w == 3));
    }
    CHECK(clocks.proposed() == 2);
    CHECK(clocks.applied() == 0);
    CHECK(clocks.workers[2].before >= to_ns(3.249));
    CHECK(clocks.residual_p90 <= to_ns(SkewedRun::kJitter));
    CHECK(verdict(clocks).starts_with("2 of 6 clocks differ, by up to 3.25 s"));
  }
}

TEST_CASE("barrier_clock: after alignment, no wait outlasts the request that it was for") {
  SkewedRun run{.skew = {0, 0, -2, 3.25}};
  const auto before = run.build(1);
  CHECK(most_after(*before) > 1);
  const BarrierClocks clocks = barrier_clocks(*before);
  for (std::size_t w = 0; w < run.skew.size(); ++w) run.skew[w] += to_seconds(clocks.workers[w].offset);
  const auto after = run.build(1);
  CHECK(most_after(*after) < 2 * SkewedRun::kJitter);
  // A second estimate finds nothing left to correct.
  const BarrierClocks again = barrier_clocks(*after);
  CHECK(again.proposed() == 0);
  for (const BarrierClock& clock : again.workers) CHECK(std::abs(clock.offset) <= kMicrosecond);
  CHECK(verdict(again).starts_with("The clocks of 4 workers agree within "));
}

TEST_CASE("barrier_clock: an offset below the jitter cannot be told from zero") {
  const SkewedRun run{.skew = {0, 0, 0, -0.02}, .jitter = {0.0003, 0.0003, 0.0003, 0.1}, .steps = 40};
  const BarrierClocks clocks = barrier_clocks(*run.build(3));
  CHECK(!clocks.workers[3].proposed);
  CHECK(clocks.workers[3].has_offset());
  CHECK(remark(clocks.workers[3]) == "not distinguishable from 0");
  CHECK(remark(clocks.workers[0]) == "");
  CHECK(clocks.workers[3].residual > 10 * kMillisecond);
  CHECK(clocks.workers[0].residual < kMillisecond);
  // With the same jitter, an offset of seconds is found.
  const SkewedRun far{.skew = {0, 0, 0, 2}, .jitter = run.jitter, .steps = 40};
  CHECK(remark(barrier_clocks(*far.build(3)).workers[3]) == "differs");
  // Without jitter, an offset below a millisecond is too small to report.
  const SkewedRun near{.skew = {0, 0, 0.0009}, .jitter = {0, 0, 0}};
  CHECK(barrier_clocks(*near.build(3)).proposed() == 0);
}

TEST_CASE("barrier_clock: outlier stamps in a few steps do not change the offsets") {
  SkewedRun run{.skew = {0, 0, 0, 1.5}};
  run.late = [](int step, int worker) { return step == 4 && worker == 1 ? 60.0 : step == 7 ? 0.5 * worker : 0.0; };
  const BarrierClocks clocks = barrier_clocks(*run.build(5));
  for (std::size_t w = 0; w < 4; ++w) {
    CHECK(seconds_off(clocks, run.skew, w, 0) <= SkewedRun::kJitter);
    CHECK(clocks.workers[w].residual <= to_ns(SkewedRun::kJitter));
  }
  CHECK(clocks.proposed() == 1);
}

TEST_CASE("barrier_clock: steps with missing workers do not bias the offsets") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    SkewedRun run{.skew = {0, 0, 0, 10, 10, 10}, .steps = 16};
    run.missing = [&](int step, int worker) {
      return (static_cast<std::uint64_t>(step * 7 + worker * 3) + seed) % 4 == 0;
    };
    const BarrierClocks clocks = barrier_clocks(*run.build(seed));
    for (std::size_t w = 0; w < 6; ++w) CHECK(seconds_off(clocks, run.skew, w, 0) <= 2 * SkewedRun::kJitter);
    CHECK(clocks.residual_p90 <= to_ns(2 * SkewedRun::kJitter));
    CHECK(clocks.proposed() == 3);
  }
}

TEST_CASE("barrier_clock: of two hosts with equally many workers, the first keeps its clock") {
  const SkewedRun run{.skew = {0, 0, 0, 0, 3, 3, 3, 3}};
  const BarrierClocks clocks = barrier_clocks(*run.build(9));
  for (std::size_t w = 0; w < 8; ++w) {
    CHECK(clocks.workers[w].proposed == (w >= 4));
    CHECK(clocks.workers[w].before >= to_ns(2.99));  // relative to the uncorrected other clocks
  }
  // With two workers, the second one gets the whole offset; both have the same residual.
  const SkewedRun two{.skew = {0, -1}, .steps = 20};
  const BarrierClocks pair = barrier_clocks(*two.build(9));
  CHECK(pair.workers[0].offset == 0);
  CHECK(seconds_off(pair, two.skew, 1, 0) <= SkewedRun::kJitter);
  CHECK(pair.workers[0].residual == pair.workers[1].residual);
  CHECK(pair.workers[1].proposed);
}

TEST_CASE("barrier_clock: the verdict says why clocks cannot be compared") {
  CHECK(barrier_clocks(*HandRollout().build()).workers.empty());
  CHECK(verdict(barrier_clocks(*HandRollout().build())).starts_with("One worker:"));
  const SkewedRun alone{.skew = {0}};
  CHECK(verdict(barrier_clocks(*alone.build(1))).starts_with("One worker:"));

  const auto silent = barrier_clocks(*HandRollout().file(1, 0).file(1, 1).build());
  CHECK(verdict(silent) == "It is unknown whether the clocks agree: no barrier_wait_duration lines.");
  CHECK(!silent.workers[0].has_offset());
  CHECK(remark(silent.workers[0]) == "no barrier_wait_duration lines");

  const SkewedRun once{.skew = {0, 5}, .steps = 1};
  const BarrierClocks one_step = barrier_clocks(*once.build(1));
  CHECK(verdict(one_step) == "It is unknown whether the clocks agree: one step only: nothing to check it against.");
  CHECK(one_step.proposed() == 0);

  // Workers 0 and 1 share no step with 2, 3 and 4: two separate groups. Worker 5 has no barrier line.
  HandRollout apart;
  for (int step = 0; step < 4; ++step) {
    const double end = 10.0 * step;
    for (int worker = 0; worker < 2; ++worker) apart.phase({.step = step, .worker = worker, .end = end + worker});
    for (int worker = 2; worker < 5; ++worker)
      apart.phase({.step = 10 + step, .worker = worker, .end = end + 2 * worker});
  }
  apart.phase({.step = 2, .worker = 5, .end = 20, .event = "total_step_duration"});
  const BarrierClocks groups = barrier_clocks(*apart.build());
  CHECK(groups.steps == 8);
  CHECK(groups.workers[1].offset == -kSecond);
  CHECK(groups.workers[2].offset == 2 * kSecond);
  CHECK(groups.workers[3].offset == 0);
  CHECK(groups.workers[4].offset == -2 * kSecond);
  CHECK(groups.workers[5].why == "no barrier_wait_duration lines");
  CHECK(verdict(groups).find("Unknown for 1.") != std::string::npos);

  HandRollout turns;
  for (int step = 0; step < 4; ++step) turns.phase({.step = step, .worker = step % 2, .end = 10.0 * step});
  CHECK(verdict(barrier_clocks(*turns.build())) ==
        "It is unknown whether the clocks agree: no step in which another worker has a barrier line too.");
}

TEST_CASE("barrier_clock: runs are compared separately, and the last of several barriers in a step counts") {
  HandRollout rollout;
  for (int run = 0; run < 2; ++run) {
    for (int step = 0; step < 3; ++step) {
      for (int worker = 0; worker < 2; ++worker) {
        const double clock = worker == 0 ? 0 : run == 0 ? 4 : -7, end = 1000.0 * run + 10 * step + clock;
        if (worker == 1) rollout.phase({.step = step, .worker = worker, .end = end - 3, .run = run});
        rollout.phase({.step = step, .worker = worker, .end = end, .run = run});
      }
    }
  }
  const BarrierClocks clocks = barrier_clocks(*rollout.build());
  REQUIRE(clocks.workers.size() == 4);
  CHECK(clocks.workers[1].run == "run 1");
  CHECK(clocks.workers[1].offset == -4 * kSecond);
  CHECK(clocks.workers[3].run == "run 2");
  CHECK(clocks.workers[3].offset == 7 * kSecond);
}
