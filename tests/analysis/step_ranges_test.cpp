// Steps of every kind of source as stretches of time, and what "step 6" means among them.
#include <doctest/doctest.h>

#include <string>

#include "core/analysis/step_ranges.h"
#include "core/session/load_job.h"
#include "tests/support/gen_pipeline.h"
#include "tests/support/gen_trace.h"
#include "tests/support/hand_rollout.h"
#include "tests/support/places.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string range_text(const TimeRange& range) { return std::to_string(range.begin) + ".." + std::to_string(range.end); }

LaneSpec thread_of(const std::string& process, const std::string& name) {
  LaneSpec spec;
  spec.path = {{process}, {name}};
  return spec;
}

}  // namespace

TEST_CASE("steps: of a rollout they are what its files hold") {
  const auto rollout = HandRollout()
                           .add({.step = 2, .worker = 0, .begin = 1, .seconds = 2})
                           .add({.step = 2, .worker = 1, .begin = 2, .seconds = 5})
                           .phase({.step = 2, .worker = 0, .end = 8, .seconds = 3})
                           .add({.step = 7, .worker = 0, .begin = 20, .seconds = 1})
                           .build();
  const auto sources = steps_of(*rollout->trace);
  REQUIRE(sources.size() == 1);
  CHECK(sources[0].kind == StepsOf::Rollout);
  CHECK(sources[0].of == rollout->runs[0]);
  REQUIRE(sources[0].steps.size() == rollout->steps.size());
  for (std::size_t s = 0; s < rollout->steps.size(); ++s) {
    CHECK(sources[0].steps[s].number == rollout->steps[s].step);
    CHECK(range_text(sources[0].steps[s].range) == range_text(rollout->steps[s].extent));
  }
  const auto found = find_step(sources, "7");
  REQUIRE(found);
  CHECK(range_text(found.value().range) == range_text({20 * kSecond, 21 * kSecond}));
  CHECK(found.value().text == "step 7 of " + rollout->runs[0] + " (rollout)");
}

TEST_CASE("steps: a step is not in another run because that has its number") {
  const auto rollout = HandRollout()
                           .add({.step = 3, .begin = 0, .seconds = 2, .run = 0})
                           .add({.step = 3, .begin = 1, .seconds = 9, .run = 1})
                           .build();
  const auto found = find_step(steps_of(*rollout->trace), "3");
  REQUIRE(found);
  CHECK(range_text(found.value().range) == range_text({0, 2 * kSecond}));
  CHECK(found.value().text.ends_with("the first of 2"));
}

TEST_CASE("steps: of logs they are where the log was put on the clock") {
  const auto console = load_snapshot({source_dir() + "/tests/fixtures/verl_console/plain.log"}, test_pool())->trace;
  const auto sources = steps_of(*console);
  REQUIRE(sources.size() == 1);
  CHECK(sources[0].kind == StepsOf::Training);
  CHECK(sources[0].of == "plain.log");
  std::size_t timed = 0;
  for (const MetricStep& step : console->metrics.steps) timed += step.duration > 0 ? 1 : 0;
  CHECK(sources[0].steps.size() == timed);

  // A line of Megatron sums up the iterations since the one before it: each of them is in that stretch.
  const auto megatron = load_snapshot({source_dir() + "/tests/fixtures/megatron_log/minmax.log"}, test_pool())->trace;
  for (const StepRange& step : steps_of(*megatron).front().steps) {
    const auto found = find_step(steps_of(*megatron), std::to_string(step.first));
    REQUIRE(found);
    CHECK(range_text(found.value().range) == range_text(step.range));
  }
}

TEST_CASE("steps: of a pipeline they are over all devices") {
  PipelinePlan plan;
  plan.stages = 3;
  plan.steps = 2;
  plan.first_step = 5;
  const TempDir folder;
  const auto trace = load_snapshot(write_logs(folder, "run", plan), test_pool())->trace;
  const auto sources = steps_of(*trace);
  REQUIRE(sources.size() == 1);  // the lane of steps that is drawn is not a second source
  CHECK(sources[0].kind == StepsOf::Pipeline);
  REQUIRE(sources[0].steps.size() == 2);
  Ns last = 0;
  for (const auto& jobs : play(plan)) {
    for (const PlayedJob& job : jobs) last = job.step == 0 ? std::max(last, job.end) : last;
  }
  CHECK(sources[0].steps[0].range.length() == last);
}

TEST_CASE("steps: marked ranges whose names count") {
  TraceSketch sketch;
  for (const std::string rank : {"rank 0", "rank 1"}) {
    sketch.lane(rank, thread_of(rank, "thread 1"));
    LaneSpec stream = thread_of(rank, "stream 7");
    stream.kind = LaneKind::Stream;
    sketch.lane(rank + " gpu", stream);
    const Ns late = rank == "rank 0" ? 0 : 30;
    for (int n = 4; n < 7; ++n) {
      const std::string name = "ProfilerStep#" + std::to_string(n);
      sketch.slice(rank, n * 100 + late, 90, name, {}, "Operator");  // of 2021; since then user_annotation
      sketch.slice(rank + " gpu", n * 100 + late + 50, 95, name, {}, "gpu_user_annotation");
    }
    sketch.slice(rank, 450 + late, 10, "Optimizer.step#SGD.step", {}, "user_annotation");
  }
  sketch.lane("nvtx", thread_of("trainer", "thread 9"));
  for (int n = 0; n < 4; ++n) sketch.slice("nvtx", n * 50, 40, "step", {}, "nvtx");
  sketch.slice("nvtx", 1000, 40, "batch", {}, "nvtx");  // once, without a number: no step
  sketch.lane("jax", thread_of("/device:TPU:0", "Steps"));
  sketch.slice("jax", 0, 10, "11").slice("jax", 20, 10, "12");
  const auto trace = sketch.build();
  const auto sources = steps_of(*trace);
  REQUIRE(sources.size() == 4);
  const auto found = find_step(sources, "6");
  REQUIRE(found);
  // What the program marks on its thread, not its shadow on the GPU; both ranks.
  CHECK(range_text(found.value().range) == range_text({600, 720}));
  CHECK(found.value().text == "ProfilerStep#6 of 2 processes");
  CHECK(find_step(sources, "ProfilerStep#5").value().range == TimeRange{500, 620});
  CHECK(find_step(sources, "12").value().range == TimeRange{20, 30});
  CHECK(find_step(sources, "step (3)").value().range == TimeRange{150, 190});
  const auto none = find_step(sources, "99");
  REQUIRE(!none);
  CHECK(none.error().remedy.find("ProfilerStep# 4 to 6") != std::string::npos);
}
