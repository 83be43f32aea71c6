// Training logs from their text to what charts show: steps, resumes, the parts of a step, its place in time.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/analysis/scripts/timing_script.h"
#include "core/analysis/training/step_breakdown.h"
#include "core/analysis/training/training.h"
#include "core/session/load/load_job.h"
#include "core/store/clock/step_join.h"
#include "core/store/logs/metric_bytes.h"
#include "core/view/charts/training/charts_training.h"
#include "tests/support/gen_trace.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::shared_ptr<const Training> training_of(const std::string& path) {
  return make_training(load_snapshot({path}, test_pool())->trace);
}

std::shared_ptr<const Training> fixture(const std::string& name) {
  return training_of(source_dir() + "/tests/fixtures/" + name);
}

// A log with steps 1, 2, 3 ...: half a second of other work, gen of the given seconds, then another second.
MetricLog log_with_gen(std::initializer_list<double> seconds) {
  MetricLog log;
  log.files.push_back({0, "step", {}});
  for (const double gen : seconds) {
    MetricStep step;
    step.step = step.first_step = static_cast<std::int64_t>(log.steps.size()) + 1;
    step.first_part = static_cast<std::uint32_t>(log.parts.size());
    step.part_count = 2;
    step.duration = to_ns(gen + 1.5);
    log.parts.push_back({log.name_id("wait_for_enough_samples"), 500 * kMillisecond});
    log.parts.push_back({log.name_id("gen"), to_ns(gen)});
    log.steps.push_back(step);
  }
  return log;
}

RolloutSteps rollout_of(std::string name, std::initializer_list<double> seconds) {
  RolloutSteps rollout{.name = std::move(name), .folder = {}, .spans = {}};
  Ns begin = 1'000 * kSecond;
  for (const double length : seconds) {
    const auto number = static_cast<std::int64_t>(rollout.spans.size()) + 1;
    rollout.spans.push_back({number, RecordedRange::of({begin, begin + to_ns(length)})});
    begin += to_ns(length + 1.8);
  }
  return rollout;
}

}  // namespace

TEST_CASE("training: a step printed again has the values printed last") {
  const auto training = fixture("verl_console/plain.log");
  REQUIRE(training->runs.size() == 1);
  const TrainingRun& run = training->runs.front();
  CHECK(run.name == "plain.log");
  CHECK(run.steps == std::vector<std::int64_t>{1, 2, 3, 4, 5});
  CHECK(run.repeated == 2);
  const Metric* const gen = run.find("timing_s/gen");
  REQUIRE(gen);
  CHECK(gen->values == std::vector<double>{10, 20, 20, 1.5, 10});
  // The line after the resume lacks it: the value of the first one is not mixed in.
  const Metric* const per_step = run.find("perf/time_per_step");
  REQUIRE(per_step);
  CHECK(per_step->values[0] == 17);
  CHECK(std::isnan(per_step->values[1]));
  CHECK_FALSE(run.find("timing_s/update_critic"));
  CHECK(run.index_of(4) == 3u);
  CHECK_FALSE(run.index_of(6));
}

TEST_CASE("training: a line printed before a repeated step's own line belongs to the repetition") {
  const TempDir folder;
  const std::string text =
      "step:1 - fully_async/active:0.1 - a/first:1\nstep:1 - timing_s/step:17.0 - b/first:1\nstep:1 - val/acc:0.2\n"
      "step:2 - fully_async/active:0.3\nstep:2 - timing_s/step:17.0\n"
      "step:1 - fully_async/active:0.5\nstep:1 - timing_s/step:33.0\nstep:2 - timing_s/step:34.0\n";
  const auto training = training_of(folder.write("a.log", text));
  REQUIRE(training->runs.size() == 1);
  const TrainingRun& run = training->runs.front();
  CHECK(run.repeated == 2);
  REQUIRE(run.find("timing_s/step"));
  CHECK(run.find("timing_s/step")->values == std::vector<double>{33, 34});
  const Metric* const active = run.find("fully_async/active");
  REQUIRE(active);
  CHECK(active->values[0] == 0.5);
  CHECK(std::isnan(active->values[1]));  // its repetition lacks the line
  for (const char* before : {"a/first", "b/first", "val/acc"}) CHECK_FALSE(run.find(before));
}

TEST_CASE("training: a step breaks down into its parts and unaccounted time") {
  const auto training = fixture("verl_console/ray.log");
  const StepBreakdown breakdown = step_breakdown(*training, training->runs.front());
  std::vector<std::string> names;
  for (const BreakdownPart& part : breakdown.parts) names.push_back(part.name);
  CHECK(names == std::vector<std::string>{"gen", "reward", "old_log_prob", "adv", "update_critic", "update_actor", "param_sync"});
  REQUIRE(breakdown.total.size() == 4);  // step 0 is a validation
  CHECK(std::isnan(breakdown.total[0]));
  for (std::size_t s = 1; s < 4; ++s) CHECK(breakdown.unaccounted[s] == doctest::Approx(1 - 0.125).epsilon(1e-12));
}

TEST_CASE("training: testing outside the step is not a part of it") {
  const auto training = fixture("verl_console/testing_outside.log");
  const StepBreakdown breakdown = step_breakdown(*training, training->runs.front());
  REQUIRE(breakdown.parts.size() == 3);
  CHECK(breakdown.parts[1].name == "update_critic_actor");
  CHECK(breakdown.parts[2].name == "testing");
  CHECK(breakdown.parts[2].outside);
  CHECK(breakdown.unaccounted == std::vector<double>{0.25, 0.25});
  CHECK(timing_summary_names(timing_script(*training, training->runs.front())) ==
        std::vector<std::string_view>{"timing_s/step", "timing_s/gen", "timing_s/update_critic_actor"});
}

TEST_CASE("training: the breakdown names the parts that are not logged; a joint update stands for the critic's") {
  const auto note = [](const std::shared_ptr<const Training>& training) {
    return training_charts({.training = training}, {}).front().note;
  };
  const std::string joint = note(fixture("verl_console/testing_outside.log")), separate = note(fixture("verl_console/ray.log"));
  CHECK(joint.ends_with(" Not logged here: ref. Not logged here: old_log_prob."));
  CHECK(joint.find("update_critic.") == std::string::npos);
  CHECK(separate.ends_with(" Not logged here: ref."));
}

TEST_CASE("training: a line that sums up iterations gives means per iteration, and timers their extremes over ranks") {
  const auto old = fixture("megatron_log/old.out");
  REQUIRE(old->runs.size() == 1);
  const TrainingRun& run = old->runs.front();
  CHECK(run.unit == "iteration");
  CHECK(run.steps == std::vector<std::int64_t>{10, 20, 30});
  const MetricStep& line = old->log().steps[run.records[1]];
  CHECK(line.first_step == 11);
  CHECK(line.duration == 10 * kSecond);
  CHECK(line.begin == 10 * kSecond + kSecond);  // the trace begins with the first mark, a second before the training
  const StepBreakdown breakdown = step_breakdown(*old, run);
  CHECK(breakdown.total == std::vector<double>{1, 1, 1});
  REQUIRE(breakdown.parts.size() == 3);
  CHECK(breakdown.parts[1].name == "backward-compute");
  CHECK(breakdown.parts[1].seconds == std::vector<double>{0.5, 0.5, 0.5});
  CHECK(run.find("validation/lm loss PPL")->values[2] == 620);
  CHECK(run.find("memory_mb/allocated")->values[1] == 17694.5);
  CHECK(run.find("memory_mb/allocated/min")->values[1] == 17693.5);
  CHECK(run.find("memory_mb/allocated/rank of max")->values[1] == 18);
  const auto ranks = fixture("megatron_log/ranks.log");
  const TrainingRun& all = ranks->runs.front();
  CHECK(all.find("timers_ms/forward-backward")->values == std::vector<double>{1600.5, 1550});
  CHECK(all.find("timers_ms/forward-backward/min")->values[0] == 1500.25);
  CHECK(all.find("timers_ms/forward-backward/rank of max")->values[0] == 1);
  const auto minmax = fixture("megatron_log/minmax.log");
  CHECK(minmax->runs.front().find("timers_ms/optimizer/min")->values == std::vector<double>{3400, 3400, 3400});
  CHECK(minmax->runs.front().repeated == 1);
}

TEST_CASE("training: a process named several times is listed once") {
  const TempDir folder;
  std::string text = "using world size: 8\n";
  for (const char* stage : {"Warm Up", "Collection", "Post Processing"}) {
    text += "STAGE:2025-08-01 07:00:11 1863929:1863929 ActivityProfilerController.cpp:314] Completed Stage: " +
            std::string(stage) + "\n";
  }
  const auto trace = load_snapshot({folder.write("a.out", text)}, test_pool())->trace;
  CHECK(trace->metrics.marks.size() == 3);
  REQUIRE(trace->metrics.processes.size() == 1);
  CHECK(trace->metrics.processes[0].pid == 1863929);
}

TEST_CASE("training: marks without any step lie at the time printed before them, or at the start") {
  const TempDir folder;
  const std::string text =
      "using world size: 8\nsaving checkpoint at iteration 1\n[after megatron is initialized] datetime: 2021-05-23 08:23:57\n"
      "saving checkpoint at iteration 2\n";
  const auto trace = load_snapshot({folder.write("a.out", text)}, test_pool())->trace;
  REQUIRE(trace->metrics.marks.size() == 2);
  CHECK(trace->metrics.marks[0].time == 0);
  CHECK(trace->metrics.marks[1].time == 0);
  CHECK(trace->origin_ns == 1'621'758'237 * kSecond);
  CHECK(trace->instant_count == 2);
}

TEST_CASE("training: a log survives a round trip through bytes, and damaged bytes give no invalid indices") {
  const auto training = fixture("");
  const MetricLog& log = training->log();
  REQUIRE(log.steps.size() > 10);
  const std::string bytes = metric_bytes(log);
  const std::size_t sources = training->trace->sources.size();
  const auto read = [&](std::string_view text, MetricLog& out) {
    ByteReader reader(text);
    take_metrics(reader, sources, out);
    return reader.done();
  };
  MetricLog again;
  REQUIRE(read(bytes, again));
  CHECK(metric_bytes(again) == bytes);
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = bytes;
    const auto at = static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(bytes.size()) - 1));
    damaged[at] = static_cast<char>(random.next());
    MetricLog out;
    if (!read(damaged, out)) continue;
    // Whatever is accepted has valid indices.
    for (const MetricStep& step : out.steps) REQUIRE(step.first_value + step.value_count <= out.values.size());
    for (const MetricValue& value : out.values) REQUIRE(value.name < out.names.size());
    if (round % 50 == 0) CHECK_FALSE(read(std::string_view(damaged).substr(0, damaged.size() - 1), out));
  }
}

TEST_CASE("step join: steps are joined by the lengths of rollouts, whatever their numbers") {
  const MetricLog log = log_with_gen({10, 20, 30, 14, 25});
  const std::vector<RolloutSteps> rollouts = {rollout_of("a", {9.8, 19.8, 29.8, 13.8, 24.8})};
  const StepJoin join = join_rollouts(log, rollouts, {}, {});
  REQUIRE(join.begin.size() == 5);
  CHECK(join.begin.at(1).ns == 1'000 * kSecond + to_ns(9.8 + 1.8) - 500 * kMillisecond);
  CHECK(join.text.starts_with("on the clock of rollout a: 5 of 5 steps, step k is its step_k;"));
  SUBCASE("a validation before the training shifts the numbers") {
    const std::vector<RolloutSteps> shifted = {rollout_of("a", {18.5, 9.8, 19.8, 29.8, 13.8, 24.8})};
    const StepJoin later = join_rollouts(log, shifted, {}, {});
    REQUIRE(later.begin.size() == 5);
    CHECK(later.begin.at(0).ns == 1'000 * kSecond + to_ns(18.5 + 1.8) - 500 * kMillisecond);
    CHECK(later.text.find("step k is its step_(k+1);") != std::string::npos);
  }
  SUBCASE("rollouts of other lengths are not joined") {
    const StepJoin other = join_rollouts(log, {rollout_of("b", {20, 10, 55, 31, 5})}, {}, {});
    CHECK(other.begin.empty());
    CHECK(other.text.starts_with("not joined with rollout b: "));
  }
  SUBCASE("two rollouts that fit equally well are not joined") {
    const std::vector<RolloutSteps> two = {rollouts[0], rollout_of("b", {9.8, 19.8, 29.8, 13.8, 24.8})};
    const StepJoin both = join_rollouts(log, two, {}, {});
    CHECK(both.begin.empty());
    CHECK(both.text == "not joined: rollouts a and b fit equally well");
  }
  SUBCASE("a single step is not enough evidence") {
    CHECK(join_rollouts(log, {rollout_of("a", {9.9})}, {}, {}).begin.empty());
    CHECK(join_rollouts(log, {}, {}, {}).text.empty());
  }
}

TEST_CASE("step join: the next best position is reported, even if it is the first rollout") {
  // A validation before the training is nearly as long as the rollout of step 1. If step 1 were placed there, it would be another
  // 0.8 s longer than its rollout, and 1.3 s instead of 0.1 s would be left before step 2: (ln(1 + 3.2^2) + ln(1 + 6.05^2) - ln(1 +
  // 0.465^2)) / 2.
  const StepJoin join =
      join_rollouts(log_with_gen({10, 20, 30, 14, 25}), {rollout_of("a", {9, 9.8, 19.8, 29.8, 13.8, 24.8})}, {}, {});
  REQUIRE(join.begin.size() == 5);
  CHECK(join.text.find("; next best: step 1 as step_1, worse by 3 ") != std::string::npos);
}

TEST_CASE("step join: a rollout within a step must be a validation that the step printed, or nothing is joined") {
  // Steps of gen, then 10 s of something else, the last 1.8 s of which are a validation in step 4.
  constexpr double kGen[] = {10, 20, 30, 14, 25, 17, 22, 12};
  const auto joined = [&](double testing) {
    MetricLog log;
    log.files.push_back({0, "step", {}});
    RolloutSteps rollout{.name = "a", .folder = {}, .spans = {}};
    Ns begin = 1'000 * kSecond;
    const auto call = [&](Ns at, double length) {
      rollout.spans.push_back({static_cast<std::int64_t>(rollout.spans.size()) + 1, RecordedRange::of({at, at + to_ns(length)})});
    };
    for (const double gen : kGen) {
      MetricStep step;
      step.step = step.first_step = static_cast<std::int64_t>(log.steps.size()) + 1;
      step.first_part = static_cast<std::uint32_t>(log.parts.size());
      step.duration = to_ns(gen + 10);
      log.parts.push_back({log.name_id("gen"), to_ns(gen)});
      call(begin, gen - 0.2);
      if (step.step == 4) {
        call(begin + step.duration - to_ns(1.8), 1.6);
        if (testing > 0) log.parts.push_back({log.name_id("testing"), to_ns(testing)});
      }
      step.part_count = static_cast<std::uint32_t>(log.parts.size()) - step.first_part;
      log.steps.push_back(step);
      begin += step.duration + to_ns(0.1);
    }
    return join_rollouts(log, {rollout}, {}, {});
  };
  CHECK(joined(1.8).begin.size() == 8);
  CHECK(joined(0).begin.empty());
  CHECK(joined(0).text.starts_with("not joined with rollout a: no order of the steps fits"));
}

TEST_CASE("step join: a trace is joined by its process id, or else by a length close to that of the phase") {
  MetricLog log = log_with_gen({10, 20, 30});
  log.processes.push_back({log.name_id("WorkerDict"), 39290, 0});
  const StepTrace trace{"t.json", 2, 39290, 3, "gen", RecordedRange::of({5'000 * kSecond, 5'019 * kSecond})};
  const StepJoin join = join_traces(log, {trace});
  REQUIRE(join.begin.size() == 1);
  CHECK(join.begin.at(1).ns == 5'000 * kSecond - 500 * kMillisecond - 500 * kMillisecond);
  CHECK(join.text.find("process 39290") != std::string::npos);
  StepTrace stranger = trace;
  stranger.pid = 1;
  CHECK(join_traces(log, {stranger}).begin.empty());
  // Without a known process, only a trace about as long as the phase is joined.
  StepTrace nameless = trace;
  nameless.pid = -1;
  CHECK(join_traces(log, {nameless}).text.find("step 2, rank 3, about as long as gen") != std::string::npos);
  nameless.rank = 0;
  CHECK(join_traces(log, {nameless}).text.find("step 2, rank 0, about as long as gen") != std::string::npos);
  nameless.rank = -1;
  CHECK(join_traces(log, {nameless}).text.find("step 2, about as long as gen") != std::string::npos);
  nameless.extent.end -= 8 * kSecond;
  CHECK(join_traces(log, {nameless}).begin.empty());
  StepTrace longer = trace;
  longer.extent.end += 5 * kSecond;
  CHECK(join_traces(log, {longer}).begin.empty());
  CHECK(join_traces(log, {longer}).text.find("lasts longer") != std::string::npos);
}
