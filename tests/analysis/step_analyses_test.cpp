// Comparison of steps, the workers of a step, shares of events, and --fail-if rules about them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/filter/fail_if.h"
#include "core/analysis/rollout/step_overview.h"
#include "core/analysis/rollout/worker_phases.h"
#include "core/analysis/scripts/event_share.h"
#include "core/analysis/scripts/script_overview.h"
#include "core/base/text/iso_time.h"
#include "tests/support/gen_rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/rollout_sketch.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr Ns at(double seconds) { return static_cast<Ns>(seconds * 1e9); }

/// Two steps of two workers; worker 1 generates longest in step 1.
std::shared_ptr<const Rollout> two_steps() {
  RolloutSketch s;
  s.file(1, 0)
      .first_line(at(2), 2)
      .phase(kPreprocessing, 2)
      .phase(kGenerate, 3)
      .phase(kBarrierWait, 4)
      .phase(kTotal, 10);
  s.file(1, 1)
      .first_line(at(3), 2)
      .phase(kPreprocessing, 2)
      .phase(kGenerate, 7)
      .phase(kBarrierWait, 0)
      .phase(kTotal, 9);
  s.file(2, 0).first_line(at(31), 1).phase(kPreprocessing, 1).phase(kGenerate, 4).phase(kTotal, 6);
  return s.build();
}

FailVerdict verdict(const Rollout& rollout, std::string_view rule) {
  const auto parsed = parse_fail_if(rule);
  REQUIRE_MESSAGE(parsed.ok(), rule, ": ", parsed.error().text());
  return evaluate(rollout, parsed.value(), all_requests(rollout));
}

std::string fails_with(std::string_view rule) {
  const auto parsed = parse_fail_if(rule);
  REQUIRE_MESSAGE(!parsed.ok(), rule);
  return parsed.error().message;
}

}  // namespace

TEST_CASE("worker_phases: the slowest worker, waits and unaccounted time match a worked example") {
  const auto rollout = two_steps();
  const StepPhases step = worker_phases(*rollout, 0);
  REQUIRE(step.workers.size() == 2);
  CHECK(step.slowest == 1u);
  CHECK(step.waited == 4);
  CHECK(step.waiting == 1);
  CHECK(step.workers[0].unaccounted == 1);  // 10 - 2 - 3 - 4
  CHECK(step.workers[0].events[step.workers[0].longest].event == kTotal);
  CHECK(step.workers[0].events[step.workers[0].shortest].event == kPreprocessing);
  const StepPhases alone = worker_phases(*rollout, 1);
  CHECK(alone.slowest == 0u);
  CHECK(alone.waiting == 0);
  CHECK(std::isnan(alone.workers[0].wait));
}

TEST_CASE("worker_phases: an event logged twice has its last value and sum, and unknown events keep their order") {
  RolloutSketch s;
  s.file(1, 0).phase("x_duration", 1).phase(kTotal, 48).phase("reward", 5).phase(kTotal, 4).phase("a_duration", 2);
  s.phase(kBarrierWait, kNotMeasured).phase("x_duration", 3);
  const auto rollout = s.build();
  const StepPhases step = worker_phases(*rollout, 0);
  const auto& events = step.workers[0].events;
  REQUIRE(events.size() == 3);
  CHECK(events[0].event == kTotal);
  CHECK(events[0].last == 4);
  CHECK(events[0].sum == 52);
  CHECK(events[1].event == "x_duration");
  CHECK(events[1].sum == 4);
  CHECK(events[2].event == "a_duration");
  CHECK(!step.slowest);
}

TEST_CASE("worker_phases: without generate events, the worker that waits least is the slowest") {
  RolloutSketch s;
  s.file(1, 0).phase(kBarrierWait, 2).file(1, 1).phase(kBarrierWait, 1).file(1, 2).phase(kTotal, 3).file(1, 3);
  const StepPhases step = worker_phases(*s.build(), 0);
  CHECK(step.workers.size() == 4);
  CHECK(step.slowest == 1u);
  CHECK(step.waiting == 1);
  CHECK(step.workers[3].events.empty());
  RolloutSketch least_first;
  least_first.file(1, 0).phase(kBarrierWait, 1).file(1, 1).phase(kBarrierWait, 2);
  CHECK(worker_phases(*least_first.build(), 0).slowest == 0u);
}

TEST_CASE("step_overview: rollout, interval, training, gap and ratio match a worked example") {
  const auto rollout = two_steps();
  const StepOverview overview = step_overview(*rollout);
  REQUIRE(overview.steps.size() == 2);
  CHECK(overview.steps[0].rollout == 10);
  CHECK(overview.steps[0].interval == 30);  // from 0 to 30
  CHECK(overview.steps[0].training == 20);
  CHECK(std::isnan(overview.steps[1].interval));
  CHECK(overview.gap == 20);
  CHECK(overview.ratio == 3);
  CHECK(overview.rollout.mean == 8);
}

TEST_CASE("step_overview: there is no interval across a missing step or another run") {
  RolloutSketch s;
  s.file(1, 0).first_line(at(1), 1).file(3, 0).first_line(at(11), 1).file(4, 0).first_line(at(16), 1);
  s.file(5, 0, 1).first_line(at(100), 1);
  const StepOverview overview = step_overview(*s.build());
  CHECK(std::isnan(overview.steps[0].interval));
  CHECK(overview.steps[1].interval == 5);
  CHECK(std::isnan(overview.steps[2].interval));
  CHECK(std::isnan(overview.steps[1].rollout));
  CHECK(std::isnan(overview.gap));
  CHECK(step_overview(*RolloutSketch().build()).steps.empty());
}

TEST_CASE("step_overview: a slow step stands out, with the worker and event that explain it") {
  RolloutShape shape;
  shape.steps = 8;
  shape.slow_step = 5;
  shape.slow_worker = 2;
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    const auto rollout = gen_rollout(seed, shape);
    const StepOverview overview = step_overview(*rollout);
    std::vector<double> rollouts;
    for (const StepDurations& step : overview.steps) rollouts.push_back(step.rollout);
    const double median = quantile(sorted_measured(rollouts), 0.5);
    REQUIRE(overview.steps[5].slow_rollout);
    const StandsOut& out = *overview.steps[5].slow_rollout;
    CHECK(out.factor == doctest::Approx(rollouts[5] / median));
    REQUIRE(out.reason);
    CHECK(out.reason->event == kGenerate);
    CHECK(rollout->worker_steps[out.reason->worker_step].worker == 2);
    CHECK(rollout->worker_steps[out.reason->worker_step].step == 5);
    CHECK(text_of(*rollout, *out.reason).starts_with("worker 2: async_generate "));
  }
}

TEST_CASE("step_overview: equal steps and few steps do not stand out") {
  RolloutSketch equal, few;
  for (int step = 1; step <= 10; ++step) equal.file(step, 0).first_line(at(step), 0).phase(kTotal, 3);
  for (int step = 1; step <= 3; ++step) few.file(step, 0).first_line(at(step), 0).phase(kTotal, step == 3 ? 1000 : 1);
  for (const StepDurations& step : step_overview(*equal.build()).steps) CHECK(!step.slow_rollout);
  for (const StepDurations& step : step_overview(*few.build()).steps) CHECK(!step.slow_rollout);
}

TEST_CASE("step_overview: nothing stands out against a median that is not positive") {
  RolloutSketch nothing, overlapping;
  for (int step = 1; step <= 10; ++step) {
    nothing.file(step, 0).first_line(at(step), 0).phase(kTotal, step == 4 ? 5 : 0);
    overlapping.file(step, 0).first_line(at(step), 0).phase(kTotal, step == 4 ? 0.5 : 3);  // training: 1 - 3 s, once 1 - 0.5 s
  }
  for (const StepDurations& step : step_overview(*nothing.build()).steps) CHECK(!step.slow_rollout);
  const StepOverview overview = step_overview(*overlapping.build());
  CHECK(overview.training.median == -2);
  for (const StepDurations& step : overview.steps) CHECK(!step.slow_training);
}

TEST_CASE("step_overview: if most steps take the same time, only one well above it stands out") {
  RolloutSketch even;
  for (int step = 1; step <= 10; ++step) {
    even.file(step, 0).first_line(at(step), 0).phase(kTotal, step == 4 ? 177 : step == 7 ? 29 : 27.2 + step * 1e-9);
  }
  const StepOverview overview = step_overview(*even.build());
  for (std::size_t s = 0; s < overview.steps.size(); ++s) CHECK(overview.steps[s].slow_rollout.has_value() == (s == 3));
}

TEST_CASE("step_overview: a step is compared only with the steps of its own run") {
  RolloutSketch even, uneven;
  for (int step = 1; step <= 8; ++step) even.file(step, 0).first_line(at(10 * step), 0).phase(kTotal, 3);
  // Another run, which paused for hours between its two steps.
  even.file(1, 0, 1).first_line(at(1000), 0).phase(kTotal, 60).file(2, 0, 1).first_line(at(61000), 0).phase(kTotal, 50);
  const StepOverview none = step_overview(*even.build());
  CHECK(none.steps[8].training == 59940);
  for (const StepDurations& step : none.steps) CHECK((!step.slow_rollout && !step.slow_training));

  for (int step = 1; step <= 8; ++step) uneven.file(step, 0).phase(kGenerate, 5).phase(kTotal, 6);
  for (int step = 1; step <= 6; ++step) {
    uneven.file(step, 0, 1).phase(kGenerate, step == 4 ? 20 : 1).phase(kTotal, step == 4 ? 21 : 2);
  }
  const StepOverview overview = step_overview(*uneven.build());
  for (std::size_t s = 0; s < overview.steps.size(); ++s) CHECK(overview.steps[s].slow_rollout.has_value() == (s == 11));
  REQUIRE(overview.steps[11].slow_rollout);
  CHECK(overview.steps[11].slow_rollout->factor == 10.5);
  REQUIRE(overview.steps[11].slow_rollout->reason);
  CHECK(overview.steps[11].slow_rollout->reason->usual == 1);
}

TEST_CASE("script_overview: times follow Python's datetime arithmetic") {
  // datetime(...) - timedelta(seconds=x), rounded to microseconds half to even
  CHECK(python_minus(10'000'000, 2.5) == 7'500'000);
  CHECK(python_minus(0, 0.0000005) == 0);         // half to even: 0
  CHECK(python_minus(0, 0.0000015) == -2);        // 0.0000015 * 1e6 is exactly 1.5; half to even: 2
  CHECK(python_minus(0, 2.7082859) == -2'708'286);
  CHECK(python_minus(5, 0) == 5);
  CHECK(python_minus(0, -1.25) == 1'250'000);
  // The reference: 2025-07-13T11:04:14.136284 is written after 2.1332569122314453 s
  const Ns stamp = *iso_time_ns("2025-07-13T11:04:14.136284");
  CHECK(python_isoformat(python_minus(stamp / 1000, 2.1332569122314453).value()) == "2025-07-13T11:04:12.003027");
  CHECK(python_isoformat(*iso_time_ns("2025-07-13T11:04:14") / 1000) == "2025-07-13T11:04:14");
  CHECK(python_isoformat(*iso_time_ns("2024-02-29T00:00:00.000001") / 1000) == "2024-02-29T00:00:00.000001");
  CHECK(python_isoformat(-1) == "1969-12-31T23:59:59.999999");
}

TEST_CASE("script_overview: a duration that no datetime can hold gives no start") {
  CHECK(python_isoformat(python_minus(0, 62'135'596'800).value()) == "0001-01-01T00:00:00");
  CHECK(python_isoformat(python_minus(0, -253'402'300'799).value()) == "9999-12-31T23:59:59");
  for (const double seconds : {62'135'596'801.0, -253'402'300'800.0, 1e13, 1e300, -1e300, double{INFINITY}, double{NAN}}) {
    CAPTURE(seconds);
    CHECK(!python_minus(0, seconds));
  }
  RolloutSketch s;
  s.origin(at(1000));
  s.file(1, 0).first_line(at(12), 2).file(1, 1).first_line(at(12), 0);
  s.log().files.back().first_seconds = 1e300;
  s.file(2, 0).first_line(at(42), 0);
  s.log().files.back().first_seconds = kNotMeasured;
  s.file(3, 0).first_line(at(71), 1);
  const ScriptOverview overview = script_overview(*s.build());
  CHECK(overview.start_steps == std::vector<std::int32_t>{1, 3});
  CHECK(overview.starts == std::vector<std::int64_t>{1'010'000'000, 1'070'000'000});
  CHECK(overview.intervals == std::vector<double>{60});
}

TEST_CASE("script_overview: steps, starts and intervals match a worked example") {
  RolloutSketch s;
  s.origin(at(1000));
  // Step 2 has no total; step 3 was run twice into one file: the last total counts, and the first line's begin.
  s.file(1, 0).first_line(at(12), 2).phase(kTotal, 10).file(1, 1).first_line(at(11.5), 1).phase(kTotal, 8);
  s.file(2, 0).first_line(at(40), 0);
  s.file(3, 0).first_line(at(71), 1).phase(kTotal, 50).phase(kTotal, 48);
  s.file(7, 0);                                        // an empty file has no start
  s.file(-1, 0).first_line(at(1), 0).phase(kTotal, 1);  // step unknown
  const ScriptOverview overview = script_overview(*s.build());
  CHECK(overview.steps == std::vector<std::int32_t>{1, 3});
  CHECK(overview.rollouts == std::vector<double>{10, 48});
  CHECK(overview.start_steps == std::vector<std::int32_t>{1, 2, 3});
  CHECK(overview.starts == std::vector<std::int64_t>{1'010'000'000, 1'040'000'000, 1'070'000'000});
  CHECK(overview.intervals == std::vector<double>{30, 30});
  CHECK(overview.gap == 1);  // 30 - 29
  CHECK(overview.slow_rollouts.empty());
  const ScriptOverview none = script_overview(*RolloutSketch().build());
  CHECK(none.starts.empty());
  CHECK(std::isnan(none.ratio));
}

TEST_CASE("script_overview: outliers are 2 standard deviations from the mean") {
  RolloutSketch s;
  // nine of 1 and one of 11: mean 2, std sqrt((9 * 1 + 81) / 10) = 3; 11 is 9 away
  for (int step = 1; step <= 10; ++step) s.file(step, 0).phase(kTotal, step == 4 ? 11 : 1);
  const ScriptOverview overview = script_overview(*s.build());
  CHECK(overview.rollout.std == 3);
  CHECK(overview.slow_rollouts == std::vector<std::size_t>{3});
}

TEST_CASE("event_share: our shares and the script's match a worked example") {
  const auto rollout = two_steps();
  const EventShares shares = event_shares(*rollout);
  CHECK(shares.events == std::vector<std::string_view>{kPreprocessing, kGenerate, kBarrierWait});
  CHECK(shares.percent[1][0] == doctest::Approx((30 + 700.0 / 9) / 2));  // 3 of 10, 7 of 9
  CHECK(shares.percent[2][1] == 0);
  CHECK(shares.total[0] == 9.5);
  const auto script = script_shares(rollout->log(), script_files(rollout->log()));
  REQUIRE(script.size() == 2);
  CHECK(script[0].percent.at(kGenerate) == doctest::Approx(5 / 9.5 * 100));
  CHECK(script[0].mean_seconds.at(kBarrierWait) == 2);
  CHECK(!script[1].percent.contains(kBarrierWait));
}

TEST_CASE("event_share: shares add up to 100 %, and a step without a total has none") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    const EventShares shares = event_shares(*gen_rollout(seed));
    for (std::size_t s = 0; s < shares.unaccounted.size(); ++s) {
      double sum = shares.unaccounted[s];
      for (const auto& event : shares.percent) sum += event[s];
      CHECK(sum == doctest::Approx(100).epsilon(1e-12));
    }
  }
  RolloutSketch s;
  s.file(1, 0).phase(kGenerate, 3).file(2, 0).phase(kGenerate, 3).phase(kTotal, 0).file(3, 0).phase(kTotal, 1);
  const EventShares shares = event_shares(*s.build());
  CHECK(std::isnan(shares.unaccounted[0]));
  CHECK(std::isnan(shares.unaccounted[1]));
  CHECK(shares.unaccounted[2] == 100);
}

TEST_CASE("fail_if: rules give the values and verdicts of a worked example") {
  RolloutSketch s;
  s.file(1, 0).first_line(at(2), 2).phase(kBarrierWait, 4).phase(kTotal, 10).request(1, 1, 100).request(3, 1, 30);
  s.file(2, 0).first_line(at(31), 1).phase(kBarrierWait, 1).phase(kTotal, 6).request(5, -1, -1);
  const auto rollout = s.build();
  CHECK(verdict(*rollout, "mean(request) > 2.9s").value == 3);
  CHECK(verdict(*rollout, "mean(request) > 2.9s").fails);
  CHECK(!verdict(*rollout, "mean(request)>3s").fails);
  CHECK(verdict(*rollout, "median(dur)>=3000ms").fails);
  CHECK(verdict(*rollout, "p75(request)==4").fails);  // h = 1.5: 3 + 0.5 * 2
  CHECK(verdict(*rollout, "p99.9(engine_s)>4.9s").fails);
  CHECK(verdict(*rollout, "count(request)<4").fails);
  CHECK(verdict(*rollout, "count(tokens)!=2").n == 2);
  CHECK(verdict(*rollout, "sum(tokens)==130").fails);
  CHECK(verdict(*rollout, "max(rollout)>=10s").fails);
  CHECK(verdict(*rollout, "min(rollout)<6s").fails == false);
  CHECK(verdict(*rollout, "median(interval)==30s").fails);
  CHECK(verdict(*rollout, "sum(wait)>0.05min").value == 5);
  CHECK(verdict(*rollout, "std(wait)<1.6").value == 1.5);
  CHECK(verdict(*rollout, "count(finish)==3").fails);
  CHECK(verdict(*rollout, "mean(request) > 2.9s").text == "mean(request) = 3s of 3 values: fails, as it is > 2.9s");
  CHECK(verdict(*rollout, "mean(request) > 3s").text == "mean(request) = 3s of 3 values: passes, as it is not > 3s");
}

TEST_CASE("fail_if: a rule without values passes and says so, except for a count") {
  const auto none = RolloutSketch().build();
  for (const char* rule : {"mean(request)!=0", "p50(rollout)<1s", "max(wait)<9", "sum(tokens)<1", "min(interval)==0"}) {
    const FailVerdict v = verdict(*none, rule);
    CHECK(std::isnan(v.value));
    CHECK(!v.fails);
    CHECK(v.text.find("there are no values") != std::string::npos);
  }
  CHECK(verdict(*none, "count(request)<1").fails);
}

TEST_CASE("fail_if: errors name the place") {
  CHECK(fails_with("speed(request)>1").starts_with("at character 1, \"speed(request\": expected count, sum"));
  CHECK(fails_with("p101(request)>1").starts_with("at character 1,"));
  CHECK(fails_with("p(request)>1").starts_with("at character 1,"));
  CHECK(fails_with("p99(ncclDevKernel)>1ms").starts_with("at character 5, \"ncclDevKernel\": expected"));
  CHECK(fails_with("mean request>1") == "at character 6, \"request>1\": expected (");
  CHECK(fails_with("mean(finish)>1").starts_with("at character 6, \"finish)>1\": expected request, rollout"));
  CHECK(fails_with("mean(request>1") == "at character 13, \">1\": expected )");
  CHECK(fails_with("mean(request)") == "at the end: expected < <= > >= == or !=");
  CHECK(fails_with("mean(request)=~1").starts_with("at character 14,"));
  CHECK(fails_with("mean(request)>1s 2") == "at character 18, \"2\": expected the end");
  CHECK(fails_with("count(request)>1s") == "at character 17, \"s\": expected a number without a unit");
  CHECK(fails_with("") == "at the end: expected count, sum, mean, median, std, min, max or a percentile such as p99");
}
