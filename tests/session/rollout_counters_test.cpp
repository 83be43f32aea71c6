// The counter lanes of a rollout's workers, compared with the analysis of the same log.
#include "core/read/verl/rollout_counters.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/rollout/in_flight.h"
#include "core/analysis/rollout/rollout_parts.h"
#include "core/session/load/load_job.h"
#include "tests/support/gen_trace.h"
#include "tests/support/places.h"

using namespace tv;
using namespace tv::test;

namespace {

std::shared_ptr<const Trace> sample_rollout(std::optional<TimeRange> window = {}) {
  LoadOptions options;
  options.choice.window = window;
  return load_snapshot({source_dir() + "/assets/samples/rl_run/rollout"}, test_pool(), options)->trace;
}

const CounterSeries& counter_of(const Trace& trace, const std::string& worker, const std::string& name) {
  for (const CounterSeries& series : trace.counters) {
    const std::vector<std::string> path = trace.path_of(series.lane);
    if (path.back() == name && path[path.size() - 2] == worker) return series;
  }
  FAIL("no counter ", name, " of ", worker);
  return trace.counters.front();
}

double value_at(const CounterSeries& series, Ns t) {
  const auto after = std::ranges::upper_bound(series.time, t);
  return after == series.time.begin() ? 0 : series.value[static_cast<std::size_t>(after - series.time.begin()) - 1];
}

}  // namespace

TEST_CASE("rollout_counters: the lanes show what the analysis computes") {
  const auto trace = sample_rollout();
  const auto rollout = make_rollout(trace, test_pool());
  REQUIRE(rollout->workers.size() == 4);
  for (std::uint32_t w = 0; w < rollout->workers.size(); ++w) {
    const RequestSet requests = requests_of_worker(*rollout, all_requests(*rollout), w);
    const std::string worker = "worker " + std::to_string(rollout->workers[w]);
    CAPTURE(worker);

    const StepFunction flight = requests_in_flight(*rollout, requests);
    const CounterSeries& in_flight = counter_of(*trace, worker, "requests in flight");
    REQUIRE(flight.time.size() > 10);
    for (const Ns t : flight.time) CHECK(value_at(in_flight, t) == flight.at(t));
    for (const Ns t : in_flight.time) CHECK(value_at(in_flight, t) == flight.at(t));
    CHECK(in_flight.value.back() == 0);

    // Each rate is rounded to 1/1024.
    const StepFunction rate = token_rate(*rollout, requests);
    const CounterSeries& tokens = counter_of(*trace, worker, "tokens/s");
    const double off = in_flight.max / 2048 + 1e-9;
    REQUIRE(rate.time.size() > 10);
    for (const Ns t : rate.time) CHECK(std::abs(value_at(tokens, t) - rate.at(t)) <= off);
    CHECK(tokens.value.back() == 0);
  }
  CHECK(trace->sample_count == 0);  // the files have none
}

TEST_CASE("rollout_counters: a time window has the same values as the whole log") {
  const auto whole = sample_rollout();
  const TimeRange window{20 * kSecond, 30 * kSecond};
  const auto part = sample_rollout(window);
  const Ns shift = part->origin_ns - whole->origin_ns;
  for (const std::string worker : {"worker 0", "worker 1"}) {
    for (const std::string name : {"requests in flight", "tokens/s"}) {
      CAPTURE(worker);
      CAPTURE(name);
      const CounterSeries& all = counter_of(*whole, worker, name);
      const CounterSeries& cut = counter_of(*part, worker, name);
      for (Ns t = window.begin; t < window.end; t += kSecond / 7) {
        CHECK(value_at(cut, t - shift) == value_at(all, t));
      }
    }
  }
}
