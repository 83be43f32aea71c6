#include "core/analysis/rollout/heat_map.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/gen_rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/hand_rollout.h"
#include "tests/support/oracles.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("heat map: the cells of a small rollout match a worked example") {
  // Step 1 lasts from 0 to 20. Worker 0: requests [0, 5), [4, 10), so 10 of 20 s busy. Half of the two is one, so the tail is
  // 5 s. Engine calls [0, 4) with 40 tokens and [2, 6) with 20: 60 tokens in 6 s. Worker 3 has a file only in step 2.
  const auto rollout =
      HandRollout()
          .add({.begin = 0, .seconds = 5, .tokens = 40, .turns = {{.engine_end = 4, .engine_call = 4, .tokens = 40}}})
          .add({.begin = 4, .seconds = 6, .tokens = 20, .turns = {{.engine_end = 6, .engine_call = 4, .tokens = 20}}})
          .phase({.end = 20, .seconds = 3})
          .phase({.end = 20, .seconds = 4})
          .file(2, 3)
          .build();
  const HeatMap map = heat_map(*rollout);
  CHECK(map.steps == 2);
  CHECK(map.workers == 2);
  const auto at = [&](HeatMeasure m, std::size_t worker, std::size_t step) {
    return map.of(m)[map.cell(worker, step)];
  };
  CHECK(at(HeatMeasure::Busy, 0, 0) == doctest::Approx(50));
  CHECK(at(HeatMeasure::Tail, 0, 0) == 5);
  CHECK(at(HeatMeasure::Tokens, 0, 0) == 60);
  CHECK(at(HeatMeasure::Wait, 0, 0) == 7);
  CHECK(at(HeatMeasure::Requests, 0, 0) == 2);
  CHECK(at(HeatMeasure::TokensPerSecond, 0, 0) == doctest::Approx(10));
  for (std::size_t m = 0; m < kHeatMeasures; ++m) {
    CHECK(std::isnan(map.value[m][map.cell(1, 0)]));
    CHECK(std::isnan(map.value[m][map.cell(0, 1)]));
    CHECK_FALSE(name(static_cast<HeatMeasure>(m)).empty());
    CHECK_FALSE(meaning(static_cast<HeatMeasure>(m)).empty());
  }
  CHECK(map.worker_step[map.cell(1, 0)] == HeatMap::kNoFile);
  CHECK(map.worker_step[map.cell(1, 1)] == 1);
  // A file without requests has 0 of them, which is not the same as unknown.
  CHECK(at(HeatMeasure::Requests, 1, 1) == 0);
  CHECK(at(HeatMeasure::Tokens, 1, 1) == 0);
  CHECK(std::isnan(at(HeatMeasure::Tail, 1, 1)));
  CHECK(std::isnan(at(HeatMeasure::Wait, 1, 1)));
}

TEST_CASE("heat map: the tail begins when half have completed") {
  // Ends at 1, 2, ... 9, 30: half at 5, the last 25 s later. With an eleventh at 31: six of eleven at 6.
  HandRollout sketch;
  for (int r = 1; r <= 9; ++r) sketch.add({.begin = 0, .seconds = static_cast<double>(r)});
  sketch.add({.begin = 0, .seconds = 30});
  CHECK(heat_map(*sketch.build()).of(HeatMeasure::Tail)[0] == doctest::Approx(25));
  sketch.add({.begin = 0, .seconds = 31});
  CHECK(heat_map(*sketch.build()).of(HeatMeasure::Tail)[0] == doctest::Approx(25));
  CHECK(heat_of_workers(*sketch.build(), HeatMeasure::Tail, 0) == heat_map(*sketch.build()).of(HeatMeasure::Tail));
}

TEST_CASE("heat map: with some requests selected, only these are counted, and waits stay") {
  const auto rollout = HandRollout()
                           .add({.begin = 0, .seconds = 5, .tokens = 40})
                           .add({.begin = 0, .seconds = 8, .tokens = 20})
                           .add({.worker = 1, .begin = 0, .seconds = 8, .tokens = 7})
                           .phase({.end = 10, .seconds = 2})
                           .build();
  const HeatMap map = heat_map(*rollout, {1});
  CHECK(map.of(HeatMeasure::Tokens) == std::vector<double>{20, 0});
  CHECK(map.of(HeatMeasure::Requests) == std::vector<double>{1, 0});
  CHECK(map.of(HeatMeasure::Busy)[0] == doctest::Approx(80));
  CHECK(map.of(HeatMeasure::Wait)[0] == 2);
  CHECK(std::isnan(map.of(HeatMeasure::Tail)[1]));
}

TEST_CASE("heat map: measures are found by their words") {
  for (std::size_t m = 0; m < kHeatMeasures; ++m) {
    const auto measure = static_cast<HeatMeasure>(m);
    CHECK(heat_measure(word_of(measure)) == measure);
  }
  CHECK_FALSE(heat_measure("tails"));
}

TEST_CASE("heat map: unknown token counts are not zero") {
  const auto rollout = HandRollout().add({.seconds = 1}).build();
  CHECK(std::isnan(heat_map(*rollout).of(HeatMeasure::Tokens)[0]));
  CHECK(std::isnan(heat_map(*rollout).of(HeatMeasure::TokensPerSecond)[0]));
  const auto one = HandRollout().add({.seconds = 1}).add({.seconds = 1, .tokens = 5}).build();
  CHECK(heat_map(*one).of(HeatMeasure::Tokens)[0] == 5);
  CHECK(heat_map(*HandRollout().build()).worker_step.empty());
}

TEST_CASE("heat map: cells match a separate count for each worker and step") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    const auto rollout = gen_rollout(seed, {.steps = 3, .workers = 3, .requests = 1 + static_cast<int>(seed)});
    const HeatMap map = heat_map(*rollout);
    for (std::size_t w = 0; w < map.workers; ++w) {
      for (std::size_t s = 0; s < map.steps; ++s) {
        std::vector<TimeRange> requests;
        std::vector<Ns> ends;
        double tokens = 0;
        for (RequestIx r = 0; r < rollout->size(); ++r) {
          if (rollout->worker[r] != w || rollout->step[r] != s) continue;
          requests.push_back({rollout->begin[r], rollout->end[r]});
          ends.push_back(rollout->end[r]);
          tokens += rollout->tokens[r];
        }
        std::ranges::sort(ends);
        std::size_t most = 0;
        while (static_cast<double>(most) < 0.5 * static_cast<double>(ends.size()) - 1e-9) ++most;
        const auto at = [&](HeatMeasure m) { return map.of(m)[map.cell(w, s)]; };
        const double length = static_cast<double>(rollout->steps[s].extent.length());
        CHECK(at(HeatMeasure::Busy) ==
              doctest::Approx(100 * static_cast<double>(oracle::union_length(requests)) / length));
        CHECK(at(HeatMeasure::Tail) == doctest::Approx(static_cast<double>(ends.back() - ends[most - 1]) * 1e-9));
        CHECK(at(HeatMeasure::Tokens) == tokens);
        CHECK(at(HeatMeasure::Requests) == static_cast<double>(ends.size()));
        CHECK(at(HeatMeasure::TokensPerSecond) > 0);
      }
    }
  }
}
