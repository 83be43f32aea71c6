// A rollout's runs: parts of files that were appended to. Only runs with content count, whatever their number.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/places.h"

using namespace tv;
using namespace tv::test;

namespace {

RolloutRequest request_of(std::uint32_t file, std::int32_t run, Ns end) {
  RolloutRequest request;
  request.file = file;
  request.run = run;
  request.seconds = 1;
  request.end = end;
  request.complete = true;
  return request;
}

}  // namespace

TEST_CASE("rollout: a run has the requests of its part of each file, and an empty file belongs to the first run") {
  auto trace = std::make_shared<Trace>();
  trace->sources.resize(3);
  for (std::uint32_t f = 0; f < 3; ++f) {
    trace->sources[f].path = "/logs/exp/step_1/worker_" + std::to_string(f) + ".jsonl";
    trace->sources[f].run = "/logs/exp";
    trace->rollout.files.push_back({.source = f, .step = 1, .worker = static_cast<std::int32_t>(f)});
  }
  trace->rollout.texts.intern("");
  for (const auto& [file, run] : {std::pair(0u, 0), {1u, INT32_MAX}, {0u, INT32_MAX}, {1u, 0}}) {
    trace->rollout.requests.push_back(request_of(file, run, (file + 2) * kSecond));
  }
  const auto rollout = make_rollout(trace, test_pool());
  CHECK(rollout->runs == std::vector<std::string>{"exp", "exp (run 2147483648)"});
  REQUIRE(rollout->steps.size() == 2);
  CHECK(rollout->steps[0].end - rollout->steps[0].first == 2);
  CHECK(rollout->steps[1].end - rollout->steps[1].first == 2);
  CHECK(rollout->worker_steps.size() == 5);  // three of the first run, one of which is empty, two of the other
  CHECK(std::ranges::equal(rollout->row, std::vector<std::uint32_t>{0, 3, 2, 1}));
}
