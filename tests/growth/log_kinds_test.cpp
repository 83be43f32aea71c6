// Growth kinds for logs: rollouts of verl, console logs, iterations of Megatron, pipelines of Paddle.
#include "core/analysis/rollout/what_if.h"
#include "core/base/time.h"
#include "core/view/color/slice_colors.h"
#include "core/read/verl/rollout_tally.h"
#include "tests/growth/stages.h"
#include "tests/support/gen_pipeline.h"
#include "tests/support/hand_rollout.h"

using namespace tv;
using namespace tv::test;

namespace {

class RolloutFile {
 public:
  RolloutFile(std::size_t step, std::size_t worker) : step_(step), worker_(worker), at_ms_(static_cast<std::int64_t>(step) * 600'000) {}

  void line(std::string_view event, double seconds, std::string_view extra = "") {
    at_ms_ += 7;
    const std::int64_t s = at_ms_ / 1000;
    text_ += fmt::format(R"({{"timestamp": "2026-01-{:02}T{:02}:{:02}:{:02}.{:03}", "event": "{}", "duration_sec": {}{}{}, "workid": {}, )"
                         R"("step": {}}})"
                         "\n",
                         5 + s / 86'400, s / 3600 % 24, s / 60 % 60, s % 60, at_ms_ % 1000, event, seconds,
                         extra.empty() ? "" : R"(, "extra": )", extra, worker_, step_);
  }
  void request(std::size_t number, std::size_t turns = 1, std::size_t tools = 0) {
    const std::string id = fmt::format(R"({{"request_id": "{:08x}-{:04x}-4111-8111-{:012x}")", number, worker_, step_);
    line("request_start", 0, id + "}");
    for (std::size_t t = 0; t < turns; ++t) {
      const std::string turn = id + fmt::format(R"(, "turn": {})", t);
      line("turn_start", 0, turn + "}");
      line("turn_pre_process", 0.001, turn + "}");
      line("turn_engine_call", 0.003, turn + R"(, "generated_tokens": 64})");
      line("turn_end", 0.006, turn + R"(, "finish_reason": "STOP"})");
    }
    for (std::size_t t = 0; t < tools; ++t) line("tool_execution", 0.004, id + R"(, "turn": 1})");
    line("async_rollout_request_complete", 0.05 + 0.001 * static_cast<double>(number % 90),
         id + fmt::format(R"(, "finish_reason": "STOP", "turns": {}, "actual_response_tokens": {}}})", turns, 64 + number % 1000));
  }
  void end() {
    for (const char* phase : {"async_generate_duration", "barrier_wait_duration", "broadcast_duration", "total_step_duration"}) line(phase, 0.05);
  }
  void write(const TempDir& folder) const { folder.write(fmt::format("step_{}/worker_{}.jsonl", step_, worker_), text_); }

 private:
  std::size_t step_, worker_;
  std::int64_t at_ms_;
  std::string text_;
};

using FillFile = std::function<void(RolloutFile& out, std::size_t step, std::size_t worker)>;

void write_rollout(const TempDir& folder, std::size_t steps, std::size_t workers, const FillFile& fill) {
  for (std::size_t step = 1; step <= steps; ++step) {
    for (std::size_t worker = 0; worker < workers; ++worker) {
      RolloutFile out(step, worker);
      fill(out, step, worker);
      out.end();
      out.write(folder);
    }
  }
}

void some_requests(RolloutFile& out, std::size_t, std::size_t) {
  for (std::size_t r = 0; r < 4; ++r) out.request(r);
}

const GrowthKind kRolloutKinds[] = {
    {"requests of a worker", 64, files([](const TempDir& folder, std::size_t n) {
       write_rollout(folder, 1, 2, [n](RolloutFile& out, std::size_t, std::size_t) {
         for (std::size_t r = 0; r < n; ++r) out.request(r);
       });
     })},
    {"workers", 16, files([](const TempDir& folder, std::size_t n) { write_rollout(folder, 1, n, some_requests); })},
    {"steps of a rollout", 16, files([](const TempDir& folder, std::size_t n) { write_rollout(folder, n, 2, some_requests); })},
    {"turns of one request", 64, files([](const TempDir& folder, std::size_t n) {
       write_rollout(folder, 1, 2, [n](RolloutFile& out, std::size_t, std::size_t) { out.request(0, n); });
     })},
    {"tool calls of one request", 96, files([](const TempDir& folder, std::size_t n) {
       write_rollout(folder, 1, 2, [n](RolloutFile& out, std::size_t, std::size_t) { out.request(0, 1, n); });
     })},
    {"turns of one request, in colour", 320, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       write_rollout(folder, 1, 2, [n](RolloutFile& out, std::size_t, std::size_t) { out.request(0, n); });
       const auto snapshot = load_snapshot({folder.path()}, test_pool(), growth_options());
       const RunData data = analyse_run(snapshot->trace, test_pool());
       meter.stage("colours", [&] {
         const SliceColors colors(snapshot->trace, data.rollout.get(), ColorRule::Turn, ThemeKind::Dark);
         CHECK(colors.legend().size() > 1);
       });
     }},
    {"events of a rollout", 96, files([](const TempDir& folder, std::size_t n) {
       write_rollout(folder, 1, 2, [n](RolloutFile& out, std::size_t step, std::size_t worker) {
         some_requests(out, step, worker);
         for (std::size_t i = 0; i < n; ++i) out.line(fmt::format("my_event_{}", i), 0.002);
       });
     })},
    {"requests that never complete", 96, files([](const TempDir& folder, std::size_t n) {
       write_rollout(folder, 1, 2, [n](RolloutFile& out, std::size_t step, std::size_t worker) {
         some_requests(out, step, worker);
         for (std::size_t i = 0; i < n; ++i) out.line("request_start", 0, fmt::format(R"({{"request_id": "open-{}"}})", i));
       });
     })},
    {"phases of a worker", 96, files([](const TempDir& folder, std::size_t n) {
       write_rollout(folder, 1, 2, [n](RolloutFile& out, std::size_t step, std::size_t worker) {
         some_requests(out, step, worker);
         for (std::size_t i = 0; i < n; ++i) out.line("barrier_wait_duration", 0.002);
       });
     })},
    {"lines of a rollout that cannot be read", 200, files([](const TempDir& folder, std::size_t n) {
       write_rollout(folder, 1, 2, some_requests);
       folder.append("step_1/worker_0.jsonl", [n] {
         std::string text;
         for (std::size_t i = 0; i < n; ++i) text += fmt::format("{{\"timestamp\": broken {}\n", i);
         return text;
       }());
     })},
    {"runs of rollouts", 16, files([](const TempDir& folder, std::size_t n) {
       for (std::size_t run = 0; run < n; ++run) {
         RolloutFile out(1, 0);
         some_requests(out, 1, 0);
         out.end();
         const TempDir one;
         out.write(one);
         folder.write(fmt::format("run_{}/step_1/worker_0.jsonl", run), read_file(one.path("step_1/worker_0.jsonl")));
       }
     })},
};

// Made without files: reading costs so much that the work for pairs of workers and requests, or of calls and turns, would only show
// among thousands.
const GrowthKind kReplayKinds[] = {
    {"workers that share requests anew", 1024, [](Meter& meter, std::size_t n) {
       HandRollout hand;
       for (int worker = 0; worker < static_cast<int>(n); ++worker) {
         hand.add({.worker = worker, .seconds = 1.0 + worker % 7});
       }
       hand.add({.worker = 0, .begin = 1, .seconds = 8}).add({.worker = 0, .begin = 9, .seconds = 8});
       const auto rollout = hand.build();
       WhatIf even;
       meter.stage("rebalance", [&] { even = what_if(*rollout, {WhatIfRule::Kind::Rebalance}); });
       CHECK(even.requests == n + 2);
       CHECK(even.touched > 0);
     }},
    {"engine calls of turns that a request lists", 1024, [](Meter& meter, std::size_t n) {
       RolloutLine call, completion;
       call.duration = completion.duration = "0.5";
       call.request_id = completion.request_id = "a";
       RolloutTally tally;
       for (std::int32_t turn = 0; turn < static_cast<std::int32_t>(n); ++turn) {
         call.turn = turn;
         call.generated_tokens = turn + 1;
         tally.add(call, {.name = "turn_engine_call", .kind = RolloutEvent::turn_engine_call, .stamp = turn});
         RolloutTurn& listed = completion.timings.emplace_back();
         listed.turn = turn;
       }
       tally.add(completion, {.name = "async_rollout_request_complete", .stamp = static_cast<Ns>(n)});
       RolloutLog log;
       meter.stage("tally", [&] { log = tally.take(1, 0); });
       REQUIRE(log.turns.size() == n);
       CHECK(log.turns[n - 1].tokens == static_cast<std::int32_t>(n));
     }},
};

std::string console_step(std::size_t step, std::size_t metrics = 0) {
  std::string line = fmt::format("(TaskRunner pid=4100) step:{}", step);
  for (const char* part : {"gen", "reward", "adv", "update_actor"}) line += fmt::format(" - timing_s/{}:{}.5", part, 1 + step % 7);
  for (std::size_t m = 0; m < metrics; ++m) line += fmt::format(" - actor/metric_{}:{}.25", m, m % 11);
  return line + fmt::format(" - timing_s/step:{}.5 - perf/throughput:{}\n", 9 + step % 7, 300 + step % 50);
}

std::string console(std::size_t steps, std::size_t metrics = 0) {
  std::string text;
  for (std::size_t k = 1; k <= steps; ++k) text += console_step(k, metrics);
  return text;
}

const GrowthKind kConsoleKinds[] = {
    {"steps of a console log", 160, file("console.log", [](std::size_t n) { return console(n); })},
    {"metrics of a step", 320, file("console.log", [](std::size_t n) { return console(4, n); })},
    {"metrics that a step has alone", 640, file("console.log", [](std::size_t n) {
       std::string text;
       for (std::size_t k = 1; k <= n; ++k) {
         text += fmt::format("step:{} - timing_s/gen:1.5 - actor/metric_{}:0.5 - timing_s/step:2.5\n", k, k);
       }
       return text;
     })},
    {"parts of a step", 160, file("console.log", [](std::size_t n) {
       std::string text;
       for (std::size_t k = 1; k <= 4; ++k) {
         text += fmt::format("step:{}", k);
         for (std::size_t p = 0; p < n; ++p) text += fmt::format(" - timing_s/part_{}:0.5", p);
         text += fmt::format(" - timing_s/step:{}\n", n);
       }
       return text;
     })},
    {"restarts of a training", 96, file("console.log", [](std::size_t n) {
       std::string text;
       for (std::size_t i = 0; i < n; ++i) text += console(2);
       return text;
     })},
    {"restarts further and further on", 96, file("console.log", [](std::size_t n) {
       std::string text;
       for (std::size_t i = 0; i < n; ++i) text += console_step(i + 1) + console_step(i + 2);
       return text;
     })},
    {"lines of noise", 6'000, file("console.log", [](std::size_t n) {
       std::string text = console(10);
       for (std::size_t i = 0; i < n; ++i) text += fmt::format("(WorkerDict pid=39290) step: nothing yet {} - and so on\n", i);
       return text;
     })},
    {"blank lines of a log", 60'000, file("console.log", [](std::size_t n) { return console(10) + std::string(n, '\n') + console(1); })},
    {"letters of one line", 100'000, file("console.log", [](std::size_t n) { return console(10) + std::string(n, 'x') + "\n" + console(1); })},
    {"steps of a line", 320, file("console.log", [](std::size_t n) {
       std::string text = console(10);
       for (std::size_t i = 0; i < n; ++i) text += fmt::format("step:{} - timing_s/gen:1.5 ", i);
       return text + "\n";
     })},
    {"console logs", 24, files([](const TempDir& folder, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) folder.write(fmt::format("run_{}/console.log", i), console(4));
     })},
    {"lines of a file logger", 160, file("metrics.jsonl", [](std::size_t n) {
       std::string text;
       for (std::size_t k = 1; k <= n; ++k) {
         text += fmt::format(R"({{"step":{},"data":{{"timing_s/gen":10.5,"timing_s/update_actor":4.5,"timing_s/step":16.5}}}})"
                             "\n",
                             k);
       }
       return text;
     })},
};

// A metric is a column of all steps (analysis/training.h): if each step has its own, both double.
const KnownGrowth kKnownOfLogs[] = {{"metrics that a step has alone", "analyse", 2.9}};

std::string iteration(std::size_t k) {
  return fmt::format(" [2025-08-{:02} {:02}:{:02}:00] iteration {:8}/ 1000000 | consumed samples: {:12} | elapsed time per iteration (ms): "
                     "{}.0 | learning rate: 1.500E-04 | global batch size:     4 | lm loss: 1.25E+00 | number of skipped iterations:   0 "
                     "| number of nan iterations:   0 |\n",
                     1 + k / 1440, k / 60 % 24, k % 60, k, 4 * k, 60'000 - k % 700);
}

std::string some_iterations(std::size_t n, const std::function<std::string(std::size_t)>& after) {
  std::string text;
  for (std::size_t k = 1; k <= n; ++k) text += iteration(k) + after(k);
  return text;
}

const GrowthKind kMegatronKinds[] = {
    {"iterations", 160, file("train.log", [](std::size_t n) { return some_iterations(n, [](std::size_t) { return ""; }); })},
    {"timers of an iteration", 160, file("train.log", [](std::size_t n) {
       return some_iterations(4, [n](std::size_t) {
         std::string text = "(min, max) time across ranks (ms):\n";
         for (std::size_t t = 0; t < n; ++t) text += fmt::format("    timer-{} ....................: (2{}.00, 26.10)\n", t, t % 6);
         return text;
       });
     })},
    {"ranks of a timer", 320, file("train.log", [](std::size_t n) {
       return some_iterations(4, [n](std::size_t) {
         std::string text = "times across ranks (ms):\n  forward-backward:\n";
         for (std::size_t r = 0; r < n; ++r) text += fmt::format("     rank {:2}: {}.25\n", r, 1500 + r % 100);
         return text;
       });
     })},
    {"memory lines of an iteration", 320, file("train.log", [](std::size_t n) {
       return some_iterations(4, [n](std::size_t k) {
         std::string text;
         for (std::size_t r = 0; r < n; ++r) {
           text += fmt::format("[Rank {}] (after {} iterations) memory (MB) | allocated: 17694.5 | max allocated: 20045.0 | reserved: 24084.0\n", r, k);
         }
         return text;
       });
     })},
    {"restarts of iterations", 96, file("train.log", [](std::size_t n) {
       std::string text;
       for (std::size_t k = 1; k <= n; ++k) {
         text += fmt::format("[before the start of training step] datetime: 2025-08-{:02} {:02}:{:02}:30 \n", 1 + k / 1440, k / 60 % 24, k % 60);
         text += iteration(k + 1) + iteration(k + 2);
       }
       return text;
     })},
};

void write_pipeline(const TempDir& folder, int stages, int micro_batches, int steps) {
  PipelinePlan plan;
  plan.stages = stages;
  plan.micro_batches = micro_batches;
  plan.steps = steps;
  write_logs(folder, "run", plan);
}

const GrowthKind kPipelineKinds[] = {
    {"stages", 48, files([](const TempDir& folder, std::size_t n) { write_pipeline(folder, static_cast<int>(n), 4, 2); })},
    {"micro-batches", 64, files([](const TempDir& folder, std::size_t n) { write_pipeline(folder, 4, static_cast<int>(n), 1); })},
    {"steps of a pipeline", 24, files([](const TempDir& folder, std::size_t n) { write_pipeline(folder, 4, 4, static_cast<int>(n)); })},
    {"types of jobs", 96, file("workerlog.0", [](std::size_t n) {
       std::string text;
       for (std::size_t i = 0; i < n; ++i) {
         text += fmt::format("I1114 22:13:20.000001 4711 standalone_executor.cc:217] Profiler Info: Job ({0}), type = kind{0}, micro_batch_id = 0, "
                             "job_start_time = {1}.000000, job_end_time = {2}.000000\n",
                             i, 1'700'000'000'000 + 10 * i, 1'700'000'000'009 + 10 * i);
       }
       return text;
     })},
    {"jobs of one micro-batch", 200, file("workerlog.0", [](std::size_t n) {
       std::string text;
       for (std::size_t i = 0; i < n; ++i) {
         text += fmt::format("I1114 22:13:20.000001 4711 standalone_executor.cc:217] Profiler Info: Job ({0}), type = {1}, micro_batch_id = 0, "
                             "job_start_time = {2}.000000, job_end_time = {3}.000000\n",
                             i, i % 2 ? "backward" : "forward", 1'700'000'000'000 + 10 * i, 1'700'000'000'009 + 10 * i);
       }
       return text;
     })},
};

}  // namespace

TEST_SUITE("growth") {
  TEST_CASE("growth: rollouts cost at most n log n") { check_growth(kRolloutKinds); }
  TEST_CASE("growth: replaying a rollout, and counting its turns, cost at most n log n") { check_growth(kReplayKinds); }
  TEST_CASE("growth: console logs cost at most n log n, with known exceptions") { check_growth(kConsoleKinds, kKnownOfLogs); }
  TEST_CASE("growth: iterations of Megatron cost at most n log n") { check_growth(kMegatronKinds); }
  TEST_CASE("growth: pipelines cost at most n log n") { check_growth(kPipelineKinds); }
}
