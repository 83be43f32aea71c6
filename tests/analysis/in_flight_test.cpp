#include "core/analysis/rollout/in_flight.h"

#include <doctest/doctest.h>

#include <random>

#include "core/analysis/rollout/engine_calls.h"
#include "core/analysis/rollout/worker_phases.h"
#include "tests/support/gen_rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/hand_rollout.h"
#include "tests/support/oracles.h"
#include "tests/support/rollout_sketch.h"

using namespace tv;
using namespace tv::test;

namespace {

Ns s(double seconds) { return static_cast<Ns>(seconds * 1e9); }

}  // namespace

TEST_CASE("in flight: requests in flight, token rate and completions match a worked example") {
  // Requests [1, 5) and [2, 3), one without length at 4. Two engine calls: [1, 3) with 20 tokens is 10 tokens a second, [2, 3) with
  // 5 tokens is 5. So the rate is 10 from 1, 15 from 2 and 0 from 3.
  const auto rollout =
      HandRollout()
          .add({.begin = 1, .seconds = 4, .turns = {{.engine_end = 3, .engine_call = 2, .tokens = 20}}})
          .add({.begin = 2, .seconds = 1, .turns = {{.engine_end = 3, .engine_call = 1, .tokens = 5}}})
          .add({.begin = 4, .seconds = 0})
          .build();
  const StepFunction flight = requests_in_flight(*rollout, all_requests(*rollout));
  CHECK(flight.time == std::vector<Ns>{s(1), s(2), s(3), s(5)});
  CHECK(flight.value == std::vector<double>{1, 2, 1, 0});
  const StepFunction rate = token_rate(*rollout, all_requests(*rollout));
  CHECK(rate.time == std::vector<Ns>{s(1), s(2), s(3)});
  CHECK(rate.value == std::vector<double>{10, 15, 0});
  CHECK(completions(*rollout, all_requests(*rollout)).value == std::vector<double>{1, 2, 3});

  CHECK(flight.at(s(0)) == 0);
  CHECK(flight.at(s(2)) == 2);
  CHECK(flight.at(s(9)) == 0);
  CHECK(flight.integral({s(0), s(9)}) == doctest::Approx(5));    // 4 + 1 request-seconds
  CHECK(flight.integral({s(1.5), s(2.5)}) == doctest::Approx(1.5));
  CHECK(rate.integral({0, s(9)}) == doctest::Approx(25));
  // Bins of 2 s: half of [0, 2) is at 10, half of [2, 4) at 15, and [4, 6) has nothing.
  CHECK(bin_means(rate, {0, s(6)}, 3) == std::vector<double>{5, 7.5, 0});
  CHECK(bin_means(rate, {s(2), s(2)}, 2) == std::vector<double>{15, 15});
}

TEST_CASE("in flight: an engine call without a time is left out, and one without a length keeps its tokens") {
  const auto rollout = HandRollout()
                           .add({.begin = 0,
                                 .seconds = 4,
                                 .turns = {{.engine_end = -1, .engine_call = 2, .tokens = 20},
                                           {.engine_end = 3, .engine_call = 0, .tokens = 7},
                                           {.engine_end = 4, .engine_call = 1, .tokens = -1}}})
                           .build();
  const auto calls = engine_calls(*rollout, all_requests(*rollout));
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].end - calls[0].begin == 1);
  CHECK(token_rate(*rollout, all_requests(*rollout)).integral({0, s(9)}) == doctest::Approx(7));
  CHECK(requests_in_flight(*HandRollout().build(), {}).time.empty());
  CHECK(bin_means({}, {0, 10}, 2) == std::vector<double>{0, 0});
}

TEST_CASE("in flight: the longest stall is the longest time from one completion to the next") {
  // Completions at 1, 2, 10 and 14. From 2 to 10 two requests are in flight, and 4 of the 8 tokens of [6, 14) are
  // generated.
  const auto rollout = HandRollout()
                           .add({.seconds = 1})
                           .add({.seconds = 2})
                           .add({.seconds = 10})
                           .add({.seconds = 14, .turns = {{.engine_end = 14, .engine_call = 8, .tokens = 8}}})
                           .build();
  const Stall stall = longest_stall(*rollout, all_requests(*rollout));
  CHECK(stall.between == TimeRange{s(2), s(10)});
  CHECK(stall.in_flight == doctest::Approx(2));
  CHECK(stall.tokens == doctest::Approx(4));
  CHECK(longest_stall(*rollout, {0}).between.empty());
}

TEST_CASE("in flight: values match a count at random times, and bins keep the total") {
  for (const std::uint64_t seed : seeds(30)) {
    CAPTURE(seed);
    const auto rollout = gen_rollout(seed, {.steps = 2, .workers = 2, .requests = 9});
    const RequestSet requests = all_requests(*rollout);
    const StepFunction flight = requests_in_flight(*rollout, requests), rate = token_rate(*rollout, requests);
    for (std::size_t i = 1; i < flight.time.size(); ++i) REQUIRE(flight.time[i - 1] < flight.time[i]);
    CHECK(flight.value.back() == 0);
    CHECK(rate.value.back() == 0);
    std::mt19937_64 random(seed);
    const TimeRange whole = rollout->trace->extent;
    for (int i = 0; i < 200; ++i) {
      const Ns t = static_cast<Ns>(random() % static_cast<std::uint64_t>(whole.end));
      int open = 0;
      double tokens = 0;
      for (const RequestIx r : requests) open += rollout->begin[r] <= t && t < rollout->end[r];
      for (const EngineCall& call : engine_calls(*rollout, requests)) {
        if (call.begin <= t && t < call.end) {
          tokens += call.tokens / (static_cast<double>(call.end - call.begin) * 1e-9);
        }
      }
      CHECK(flight.at(t) == open);
      CHECK(rate.at(t) == doctest::Approx(tokens).epsilon(1e-9));
    }
    double tokens = 0, sum = 0;
    for (const RequestIx r : requests) tokens += rollout->tokens[r];
    const std::size_t bins = 37;
    const auto means = bin_means(rate, whole, bins);
    for (std::size_t b = 0; b < bins; ++b) {
      CHECK(means[b] == doctest::Approx(rate.integral(bin_of(whole, bins, b)) /
                                        (static_cast<double>(bin_of(whole, bins, b).length()) * 1e-9)));
      sum += means[b] * static_cast<double>(bin_of(whole, bins, b).length()) * 1e-9;
    }
    CHECK(sum == doctest::Approx(tokens).epsilon(1e-9));
    CHECK(bin_of(whole, bins, bins - 1).end == whole.end);
  }
}

TEST_CASE("union_length: lengths match a slow oracle") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<TimeRange> ranges;
    for (int i = 0; i < 12; ++i) {
      const Ns begin = static_cast<Ns>(random() % 50);
      ranges.push_back({begin, begin + static_cast<Ns>(random() % 9)});
    }
    CHECK(union_length(ranges) == oracle::union_length(ranges));
  }
  CHECK(union_length({}) == 0);
  CHECK(union_length({{5, 3}, {-4, -2}}) == 2);
}

TEST_CASE("in flight: workers are counted per phase, in the order of a step") {
  // Worker 0 generates [0, 4) and waits [4, 9); worker 1 generates [0, 9). Totals enclose the others and are left out, as are
  // unknown events and lines without a length.
  RolloutSketch sketch;
  sketch.file(1, 0)
      .phase(kBarrierWait, 5, s(9))
      .phase(kGenerate, 4, s(4))
      .phase(kTotal, 9, s(9))
      .phase("mystery_duration", 9, s(9))
      .phase("cache_flush_duration", 0, s(9));
  sketch.file(1, 1).phase(kGenerate, 9, s(9)).phase(kBarrierWait, -1, s(9));
  sketch.file(2, 0).phase(kGenerate, 1, s(20));
  const auto rollout = sketch.build();
  const std::vector<WorkersInPhase> phases = workers_in_phases(*rollout, 0);
  REQUIRE(phases.size() == 2);
  CHECK(phases[0].event == kGenerate);
  CHECK(phases[0].workers.time == std::vector<Ns>{0, s(4), s(9)});
  CHECK(phases[0].workers.value == std::vector<double>{2, 1, 0});
  CHECK(phases[1].event == kBarrierWait);
  CHECK(phases[1].workers.time == std::vector<Ns>{s(4), s(9)});
  CHECK(phases[1].workers.value == std::vector<double>{1, 0});
}
