// Single lines of training logs: verl's metrics, Megatron's iterations and timers in all their dialects; and find_text().
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "core/read/json/find_text.h"
#include "core/read/megatron/megatron_line.h"
#include "core/read/verl/timed_calls.h"
#include "core/read/verl/verl_step_line.h"
#include "core/store/logs/verl_metrics.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

using Values = std::map<std::string, double>;

std::optional<MegatronIteration> iteration(std::string_view line, Values& values) {
  return megatron_iteration(line, [&](std::string_view name, double value) { values[std::string(name)] = value; });
}

}  // namespace

TEST_CASE("find_text: finds the same positions as std::string_view") {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string text, wanted;
    for (std::int64_t n = random.in(0, 200); n > 0; --n) text += static_cast<char>('a' + random.in(0, 2));
    for (std::int64_t n = random.in(1, 6); n > 0; --n) wanted += static_cast<char>('a' + random.in(0, 2));
    const auto from = static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(text.size()) + 3));
    CAPTURE(round);
    REQUIRE(find_text(text, wanted, from) == std::string_view(text).find(wanted, from));
  }
}

TEST_CASE("verl lines: a step line is recognised, and ends at a newline or before Ray's repeat note") {
  CHECK(verl_step_line("step:3 - timing_s/gen:4.1") == "step:3 - timing_s/gen:4.1");
  CHECK(verl_step_line("step:3 - a:1\nstep:4 - a:2") == "step:3 - a:1");
  CHECK(verl_step_line("step:3 - a:1\x1b[32m [repeated 2x across cluster]\x1b[0m") == "step:3 - a:1");
  CHECK(verl_step_line("step:3 - a:1 [repeated 2x across cluster]") == "step:3 - a:1");
  CHECK(verl_step_line("step:3 - val-core/openai/gsm8k/acc/mean@1:0.5"));
  for (const char* no : {"step:3", "step:3 - ", "step:3 - no metric", "step:3 - we say: 7", "step: 3 - a:1", "step:x - a:1", "Step:3 - a:1"}) {
    CAPTURE(no);
    CHECK_FALSE(verl_step_line(no));
  }
}

TEST_CASE("timed calls: a record ends with its line or where another one begins") {
  const std::string record = "Time taken for a: 0.5 seconds";
  for (const char* const next : {"", "\n", "\r", "Time taken for b: 2 seconds", "Total time taken for b: 2 seconds"}) {
    CAPTURE(std::string(next));
    const auto call = timed_call(record + next);
    REQUIRE(call);
    CHECK(call->name == "a");
    CHECK(call->seconds == "0.5");
    CHECK(call->length == record.size());
  }
  CHECK(timed_call("Time taken for the lime taken for a lemon: 1 sec").value().name == "the lime taken for a lemon");
}

TEST_CASE("verl lines: numbers are read as Python and NumPy write them") {
  const auto value = [](std::string_view text) { return verl_value(text).value().value; };
  CHECK(value("4.137") == 4.137);
  CHECK(value("1e-06") == 1e-06);
  CHECK(value("-3") == -3);
  CHECK(value("np.float64(0.31133297958741857)") == 0.31133297958741857);
  CHECK(value("np.int64(-1)") == -1);
  CHECK(value("True") == 1);
  CHECK(std::isnan(value("nan")));
  CHECK(std::isnan(value("np.float64(nan)")));
  CHECK(value("-inf") == -std::numeric_limits<double>::infinity());
  for (const char* no : {"", "half", "1.5s", "np.float64(1", "np.float64()", "1,5", "[1]"}) {
    CAPTURE(no);
    CHECK_FALSE(verl_value(no));
  }
  CHECK(verl_value("1.5")->plain);
  CHECK_FALSE(verl_value("np.float64(1.5)")->plain);
  CHECK_FALSE(verl_value("nan")->plain);
}

TEST_CASE("verl lines: old and doubled metric names become the current ones") {
  CHECK(canonical_metric("timing/gen") == "timing_s/gen");
  CHECK(canonical_metric("timing(s)/gen") == "timing_s/gen");
  CHECK(canonical_metric("timing_s/timing_s/param_sync") == "timing_s/param_sync");
  CHECK(canonical_metric("timing_per_token(ms)/gen") == "timing_per_token_ms/gen");
  CHECK(canonical_metric("perf/throughput") == "perf/throughput");
  CHECK(is_verl_duration("timing_s/agent_loop/tool_calls/max"));
  CHECK_FALSE(is_verl_duration("timing_s/agent_loop/num_preempted/max"));
  CHECK_FALSE(is_verl_duration("timing_s/generation_timing/topk_ratio"));
  CHECK_FALSE(is_verl_duration("perf/throughput"));
}

TEST_CASE("verl lines: a step's parts are the phases that follow each other") {
  MetricLog log;
  ProblemLog problems;
  add_verl_line("step:7 - timing_s/step:9.5 - timing_s/update_actor:3 - timing_s/gen:5 - timing_s/generate_sequences:4.5 - bad",
                120, true, log, problems);
  REQUIRE(log.steps.size() == 1);
  const MetricStep& step = log.steps.front();
  CHECK(step.step == 7);
  CHECK(step.offset == 120);
  CHECK(step.value_count == 4);
  CHECK(step.duration == 9'500 * kMillisecond);
  REQUIRE(step.part_count == 2);
  CHECK(log.name(log.parts[0].name) == "gen");
  CHECK(log.parts[1].duration == 3 * kSecond);
  CHECK(problems.count(ProblemKind::bad_counter) == 1);
}

TEST_CASE("Megatron lines: iterations are read in all dialects") {
  Values values;
  auto found = iteration(
      " iteration       10/    1000 | consumed samples:           40 | elapsed time per iteration (ms): 3171.3 | learning rate: "
      "3.750E-05 | global batch size:     4 | lm loss: 1.210588E+01 | number of nan iterations:   0 |", values);
  REQUIRE(found);
  CHECK(found->iteration == 10);
  CHECK(found->elapsed_ms == 3171.3);
  CHECK_FALSE(found->end);
  CHECK(values.size() == 6);
  CHECK(values["lm loss"] == 12.10588);
  CHECK(values["consumed samples"] == 40);

  values.clear();
  found = iteration("[default0]: [2025-05-27 15:23:07] iteration 3/9 | elapsed time per iteration (ms): 5.5 | throughput per GPU "
                    "(TFLOP/s/GPU): 117.6 |", values);
  REQUIRE(found);
  CHECK(found->end == 1'748'359'387 * kSecond);
  CHECK(values["throughput per GPU (TFLOP/s/GPU)"] == 117.6);

  values.clear();
  found = iteration("[2024-09-16 22:59:19.287338][INFO][training_log:661] -  iteration=       1/  635782 | consumed_samples=768 | "
                    "elapsed_time_per_iteration_ms=29570.0 | lm loss=11.167250 | [LM]TFLOPs=20.30 |", values);
  REQUIRE(found);
  CHECK(found->elapsed_ms == 29570);
  CHECK(found->end == 1'726'527'559'287'338'000);
  CHECK(values["[LM]TFLOPs"] == 20.3);

  values.clear();
  found = iteration(" iteration 8/10 | iteration time: 270.125 s samples/sec: 3.8 | TFLOPS(original): 449.6 |", values);
  REQUIRE(found);
  CHECK(found->elapsed_ms == 270125);
  CHECK(values["samples/sec"] == 3.8);

  values.clear();
  found = iteration("worker-1  |  iteration 8/10 | elapsed time per iteration (s): 2.5 | lm loss: nan |", values);
  REQUIRE(found);
  CHECK(found->elapsed_ms == 2500);
  CHECK(std::isnan(values["lm loss"]));

  values.clear();
  found = iteration(" iteration      100/  500000 | elapsed time per iteration (ms): 660.6 | learning rate 1.500E-04 | lm loss "
                    "7.643560E+00 |", values);
  REQUIRE(found);
  CHECK(values["learning rate"] == 1.5e-4);
  CHECK(values["lm loss"] == 7.64356);
  CHECK(values.size() == 3);

  values.clear();
  found = iteration("[2025-01-01 00:00:10] iteration: 10/100 | elapsed time per iteration (ms): 1000.5 | lm loss: 1.0", values);
  REQUIRE(found);
  CHECK(found->end == 1'735'689'610 * kSecond);
  CHECK(values["lm loss"] == 1.0);
  CHECK(iteration(" iteration       10/infinity | lm loss: 3.0E+00 |", values));

  for (const char* no : {"iteration 10", "iteration 10/100", "iteration 10/many | a: 1 |", "iteration 10/ | a: 1 |", "iterations 10/100 |", "iteration -1/10 | a: 1 |", "train_iters: 10 | 3", ""}) {
    CAPTURE(no);
    CHECK_FALSE(iteration(no, values));
  }
}

TEST_CASE("Megatron lines: an impossibly large iteration becomes kMostIterations + 1") {
  Values values;
  for (const char* far : {"iteration 9999999999999/10 | a: 1 |", "iteration 99999999999999999999999/10 | a: 1 |"}) {
    const auto found = iteration(far, values);
    REQUIRE(found);
    CHECK(found->iteration == kMostIterations + 1);
  }
}

TEST_CASE("Megatron lines: the continuation of a wrapped iteration is recognised") {
  Values values;
  const auto continuation = [&](std::string_view line) {
    values.clear();
    const auto found = megatron_continuation(line, [&](std::string_view name, double value) { values[std::string(name)] = value; });
    return found ? std::optional(found->elapsed_ms.value_or(-1)) : std::nullopt;
  };
  CHECK(continuation("  learning rate: 3.0E-05 | global batch size: 512 |") == -1);
  CHECK(values == Values{{"learning rate", 3e-5}, {"global batch size", 512}});
  for (const char* prefix : {"", "0: ", "[default7]:", "(TaskRunner pid=123) "}) {
    CAPTURE(prefix);
    CHECK(continuation(std::string(prefix) + "  elapsed time per iteration (ms): 31184.3 |") == 31184.3);
    CHECK(values == Values{{"elapsed time per iteration (ms)", 31184.3}});
  }
  for (const char* no : {"", "|", "a line", "lm loss: 1.5", "| name | value |", "lm loss: 1.5 | and then: words |"}) {
    CAPTURE(no);
    CHECK_FALSE(continuation(no));
  }
}

TEST_CASE("Megatron lines: timers, ranks, memory, validation and events are read") {
  auto timer = megatron_timer("    forward-backward ...............................: (26094.39, 26095.09)");
  REQUIRE(timer);
  CHECK(timer->name == "forward-backward");
  CHECK(timer->least == 26094.39);
  CHECK(timer->most == 26095.09);
  timer = megatron_timer("[default7]:    optimizer .: 24.5");
  REQUIRE(timer);
  CHECK(timer->name == "optimizer");
  CHECK(timer->most == 24.5);
  CHECK_FALSE(megatron_timer("  checkpoint_in_cpu ............................... False"));
  CHECK_FALSE(megatron_timer("and so on ...: who knows"));
  CHECK_FALSE(megatron_timer("    note ....: 5 apples"));
  CHECK(megatron_timer_head("  forward-backward:") == "forward-backward");
  CHECK_FALSE(megatron_timer_head("times across ranks (ms):"));
  const auto rank = megatron_rank("     rank 12: 123.45");
  REQUIRE(rank);
  CHECK(rank->rank == 12);
  CHECK(rank->value == 123.45);
  Values values;
  const auto take = [&](std::string_view name, double value) { values[std::string(name)] = value; };
  CHECK(megatron_times("[Rank 0] time (ms) | fwd_microstep: 6567.68 | bwd_microstep: 1.5", take));
  CHECK(values["bwd_microstep"] == 1.5);
  const auto take_of_rank = [&](std::string_view name, std::int64_t of, double value) {
    values[std::string(name) + "/rank " + std::to_string(of)] = value;
  };
  CHECK(megatron_memory("[Rank 25] (after 20 iterations) memory (MB) | allocated: 17693.5 | reserved: 1.0[Rank 27] (after 20 "
                        "iterations) memory (MB) | allocated: 2.0", take_of_rank) == 20);
  CHECK(values["memory_mb/allocated/rank 25"] == 17693.5);
  CHECK(values["memory_mb/allocated/rank 27"] == 2);
  CHECK(megatron_validation(" validation loss at iteration 1000 | lm loss value: 6.4E+00 | lm loss PPL: 6.2E+02 | ", take) == 1000);
  CHECK(values["validation/lm loss PPL"] == 620);
  CHECK(megatron_validation(" validation loss at the end of training for val data | lm loss value: 6 | ", take) == -1);
  const auto date = megatron_event("[before the start of training step] datetime: 2021-05-23 08:23:58 ");
  REQUIRE(date);
  CHECK(date->name == "before the start of training step");
  CHECK(date->time == 1'621'758'238 * kSecond);
  const auto stage = megatron_event("STAGE:2024-08-21 10:15:12 1863929:1863930 ActivityProfilerController.cpp:314] Completed Stage: Warm Up");
  REQUIRE(stage);
  CHECK(stage->name == "Completed Stage: Warm Up");
  CHECK(stage->pid == 1863929);
  CHECK(stage->time == 1'724'235'312 * kSecond);
}
