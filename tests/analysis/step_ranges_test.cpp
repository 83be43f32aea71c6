// Steps of every kind of source as ranges of time, and the meaning of "step 6" among them.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <string>

#include "core/analysis/gpu/step_ranges.h"
#include "core/analysis/rollout/rollout.h"
#include "core/session/load/load_job.h"
#include "tests/support/gen_gpu.h"
#include "tests/support/gen_pipeline.h"
#include "tests/support/places.h"
#include "tests/support/rollout_log_line.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string range_text(const TimeRange& range) { return std::to_string(range.begin) + ".." + std::to_string(range.end); }

std::string finished_request(double end, double seconds, int step, int worker = 0) {
  return rollout_log_line(end, "async_rollout_request_complete", seconds, worker, step, fmt::format(R"("request_id": "r{}")", end));
}

}  // namespace

TEST_CASE("steps: a rollout's steps have the numbers and ranges found in its files") {
  const TempDir folder;
  folder.write("exp/step_2/worker_0.jsonl", finished_request(3, 2, 2) + rollout_log_line(8, "barrier_wait_duration", 3, 0, 2));
  folder.write("exp/step_2/worker_1.jsonl", finished_request(7, 5, 2, 1));
  folder.write("exp/step_7/worker_0.jsonl", finished_request(21, 1, 7));
  const auto rollout = make_rollout(load_snapshot({folder.path()}, test_pool())->trace, test_pool());
  REQUIRE(rollout->steps.size() == 2);
  const auto sources = steps_of(*rollout->trace, rollout.get());
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
  CHECK(range_text(found.value().range) == range_text({19 * kSecond, 20 * kSecond}));  // the trace begins at 1 s
  CHECK(found.value().text == "step 7 of " + rollout->runs[0] + " (rollout)");
}

TEST_CASE("steps: a number that several runs have means the step of the first run") {
  const TempDir folder;
  folder.write("a/step_3/worker_0.jsonl", finished_request(2, 2, 3));
  folder.write("b/step_3/worker_0.jsonl", finished_request(10, 9, 3));
  const auto trace = load_snapshot({folder.path()}, test_pool())->trace;
  const auto found = find_step(steps_of(*trace, make_rollout(trace, test_pool()).get()), "3");
  REQUIRE(found);
  CHECK(range_text(found.value().range) == range_text({0, 2 * kSecond}));
  CHECK(found.value().text == "step 3 of a (rollout), the first of 2");
}

TEST_CASE("steps: a log's timed lines are its steps, and a line can hold several iterations") {
  const auto console = load_snapshot({source_dir() + "/tests/fixtures/verl_console/plain.log"}, test_pool())->trace;
  const auto sources = steps_of(*console, nullptr);
  REQUIRE(sources.size() == 1);
  CHECK(sources[0].kind == StepsOf::Training);
  CHECK(sources[0].of == "plain.log");
  std::size_t timed = 0;
  for (const MetricStep& step : console->metrics.steps) timed += step.duration > 0 ? 1 : 0;
  CHECK(sources[0].steps.size() == timed);

  // A Megatron line sums up the iterations since the previous line: each of them is in that range.
  const auto megatron = load_snapshot({source_dir() + "/tests/fixtures/megatron_log/minmax.log"}, test_pool())->trace;
  const auto of_megatron = steps_of(*megatron, nullptr);
  REQUIRE(of_megatron.size() == 1);
  CHECK(of_megatron[0].unit == "iteration");
  REQUIRE(of_megatron[0].steps.size() == 4);
  CHECK(find_step(of_megatron, "100").value().range == of_megatron[0].steps[0].range);
  // 101 was repeated after a resume: as in charts, the last one counts.
  CHECK(find_step(of_megatron, "101").value().range == of_megatron[0].steps[2].range);
  std::vector<StepSource> summed = of_megatron;
  summed[0].steps[0].first = 1;
  CHECK(find_step(summed, "57").value().range == of_megatron[0].steps[0].range);
}

TEST_CASE("steps: a pipeline's step spans all devices") {
  PipelinePlan plan;
  plan.stages = 3;
  plan.steps = 2;
  plan.first_step = 5;
  const TempDir folder;
  const auto trace = load_snapshot(write_logs(folder, "run", plan), test_pool())->trace;
  const auto sources = steps_of(*trace, nullptr);
  REQUIRE(sources.size() == 1);  // the drawn lane of steps is not a second source
  CHECK(sources[0].kind == StepsOf::Pipeline);
  REQUIRE(sources[0].steps.size() == 2);
  Ns last = 0;
  for (const auto& jobs : play(plan)) {
    for (const PlayedJob& job : jobs) last = job.step == 0 ? std::max(last, job.end) : last;
  }
  CHECK(sources[0].steps[0].range.length() == last);
}

TEST_CASE("steps: marked ranges are steps if their names are numbered or repeat") {
  TraceSketch sketch;
  for (const std::string rank : {"rank 0", "rank 1"}) {
    sketch.lane(rank, cpu_thread(rank)).lane(rank + " gpu", {{{rank}, {"stream 7"}}, LaneKind::Stream});
    const Ns late = rank == "rank 0" ? 0 : 30;
    for (int n = 4; n < 7; ++n) {
      const std::string name = "ProfilerStep#" + std::to_string(n);
      sketch.slice(rank, n * 100 + late, 90, name, {}, "Operator");  // as in 2021; user_annotation since then
      sketch.slice(rank + " gpu", n * 100 + late + 50, 95, name, {}, "gpu_user_annotation");
    }
    sketch.slice(rank, 450 + late, 10, "Optimizer.step#SGD.step", {}, "user_annotation");
  }
  sketch.lane("nvtx", cpu_thread("trainer", "thread 9"));
  for (int n = 0; n < 4; ++n) sketch.slice("nvtx", n * 50, 40, "step", {}, "nvtx");
  sketch.slice("nvtx", 1000, 40, "batch", {}, "nvtx");  // once, without a number: no step
  sketch.lane("jax", cpu_thread("/device:TPU:0", "Steps"));
  sketch.slice("jax", 0, 10, "11").slice("jax", 20, 10, "12");
  const auto trace = sketch.build();
  const auto sources = steps_of(*trace, nullptr);
  REQUIRE(sources.size() == 4);
  const auto found = find_step(sources, "6");
  REQUIRE(found);
  // The program's marks on its thread, not their projection on the GPU; both ranks.
  CHECK(range_text(found.value().range) == range_text({600, 720}));
  CHECK(found.value().text == "ProfilerStep#6 of 2 processes");
  CHECK(find_step(sources, "ProfilerStep#5").value().range == TimeRange{500, 620});
  CHECK(find_step(sources, "12").value().range == TimeRange{20, 30});
  CHECK(find_step(sources, "step (3)").value().range == TimeRange{150, 190});
  const auto none = find_step(sources, "99");
  REQUIRE(!none);
  CHECK(none.error().remedy.find("ProfilerStep# 4 to 6") != std::string::npos);
}
