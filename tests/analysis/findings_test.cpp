// Findings, against runs with known answers: which step, worker and request were slow, what a console log repeats.
#include "core/analysis/findings/findings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/findings/findings_parts.h"
#include "core/analysis/rollout/blame.h"
#include "core/session/load/load_job.h"
#include "core/view/charts/chart_kinds.h"
#include "tests/support/gen_collectives.h"
#include "tests/support/gen_gpu.h"
#include "tests/support/gen_pipeline.h"
#include "tests/support/gen_rollout.h"
#include "tests/support/gen_segments.h"
#include "tests/support/gen_trace.h"
#include "tests/support/hand_rollout.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::vector<Finding> found_in(const std::shared_ptr<const Rollout>& rollout) {
  RunData data;
  data.rollout = rollout;
  return findings(data, *rollout->trace);
}

const Finding* find(const std::vector<Finding>& found, std::string_view id) {
  const auto one = std::ranges::find(found, id, &Finding::id);
  return one == found.end() ? nullptr : &*one;
}

double number(const Finding& finding, std::string_view name) {
  for (const FindingNumber& one : finding.numbers) {
    if (one.name == name) return one.value;
  }
  return NAN;
}

bool says(const Finding& finding, std::string_view words) { return finding.sentence.find(words) != std::string::npos; }

// The invariants of all findings.
void check_all(const std::vector<Finding>& found) {
  for (std::size_t f = 0; f < found.size(); ++f) {
    const Finding& one = found[f];
    CAPTURE(one.sentence);
    CHECK(one.sentence.ends_with('.'));
    CHECK(!one.id.empty());
    CHECK(std::isfinite(one.share));
    if (!one.chart.empty()) CHECK(std::ranges::find(chart_kinds(), one.chart, &ChartKind::id) != chart_kinds().end());
    if (f > 0) CHECK(found[f - 1].level >= one.level);
  }
}

}  // namespace

TEST_CASE("findings: factors are written without an exponent") {
  CHECK(said_factor(1.5) == "1.5");
  CHECK(said_factor(8.226) == "8.23");
  CHECK(said_factor(999.4) == "999");
  CHECK(said_factor(999.6) == "1,000");
  CHECK(said_factor(1589.7) == "1,590");
  CHECK(said_factor(1e300) == "1,000,000,000,000,000");
}

TEST_CASE("findings: the slow step of a generated rollout is found, with the worker and request that held it up") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    RolloutShape shape;
    shape.steps = 8;
    shape.workers = 4;
    shape.slow_step = static_cast<int>(seed);
    shape.slow_worker = static_cast<int>(seed % 4);
    const auto rollout = gen_rollout(seed, shape);
    const std::vector<Finding> found = found_in(rollout);
    check_all(found);

    const Finding* const slow = find(found, "slow_step");
    REQUIRE(slow);
    CHECK(slow->level == FindingLevel::Costly);
    CHECK(number(*slow, "step") == shape.slow_step + 1);
    CHECK(slow->range == rollout->steps[seed].extent);
    CHECK(says(*slow, "step " + std::to_string(shape.slow_step + 1)));
    CHECK(says(*slow, "Worker " + std::to_string(shape.slow_worker)));  // the reason

    const BlameLedger ledger = blame(*rollout);
    double lost = 0;
    for (const Blame& entry : ledger.entries) {
      if (entry.worker == static_cast<std::uint32_t>(shape.slow_worker)) lost += entry.lost;
    }
    const Finding* const culprit = find(found, "culprit");
    REQUIRE(culprit);
    CHECK(number(*culprit, "worker") == shape.slow_worker);
    CHECK(number(*culprit, "lost") == doctest::Approx(lost));
    CHECK(number(*culprit, "lost in all") == doctest::Approx(ledger.lost));

    const Finding* const request = find(found, "request");
    REQUIRE(request);
    REQUIRE(!ledger.entries.empty());
    CHECK(request->slice == rollout->slice[ledger.entries.front().request]);
    CHECK(number(*request, "took") == rollout->seconds[ledger.entries.front().request]);
    CHECK(request->step == static_cast<std::uint32_t>(shape.slow_step));
  }
}

TEST_CASE("findings: a request that others waited for is reported with its time in tools and the time lost") {
  // Worker 1 ends at 10, worker 0 waits 6 s for its request, which spent 9 of its 10 s in a tool.
  const auto rollout = HandRollout()
                           .add({.worker = 0, .begin = 0, .seconds = 4})
                           .add({.worker = 1, .begin = 0, .seconds = 10, .engine = 1, .tool = 9})
                           .phase({.worker = 0, .end = 10, .seconds = 6})
                           .phase({.worker = 1, .end = 10, .seconds = 0})
                           .build();
  const std::vector<Finding> found = found_in(rollout);
  check_all(found);
  const Finding* const request = find(found, "request");
  REQUIRE(request);
  CHECK(says(*request, "90 % of it in tools"));
  CHECK(says(*request, "6 worker-seconds"));
  CHECK(number(*request, "lost") == doctest::Approx(6));
  CHECK(!find(found, "culprit"));  // for a single step, the request says the same
  CHECK(!find(found, "slow_step"));
}

TEST_CASE("findings: even steps are reported as even, and none of them as slow") {
  RolloutShape shape;
  shape.steps = 3;  // too few for a meaningful median
  const std::vector<Finding> found = found_in(gen_rollout(7, shape));
  CHECK(!find(found, "slow_step"));
  const Finding* const even = find(found, "even_steps");
  REQUIRE(even);
  CHECK(even->level == FindingLevel::Note);
}

TEST_CASE("findings: a step without a total hides no longer rollout") {
  // The step without a total is between the others in the first round, and comes last in the second.
  for (const int without : {2, 3}) {
    CAPTURE(without);
    HandRollout hand;
    for (int step = 1, seconds = 10; step <= 3; ++step) {
      const bool has_total = step != without;
      hand.phase({.step = step, .worker = 0, .end = 20.0 * step, .seconds = has_total ? seconds : 1.0,
                  .event = has_total ? "total_step_duration" : "preprocessing_duration"});
      if (has_total) seconds = 3;
    }
    const std::vector<Finding> found = found_in(hand.build());
    check_all(found);
    const Finding* const even = find(found, "even_steps");
    REQUIRE(even);
    CHECK(says(*even, "of step 1, took 10 s"));
    CHECK(number(*even, "longest") == 10);
    CHECK(number(*even, "median") == 6.5);
  }
}

TEST_CASE("findings: what follows a rollout is not compared with that of another run") {
  HandRollout hand;
  const auto add = [&](int run, int step, double begin, double seconds) {
    hand.phase({.step = step, .worker = 0, .end = begin + seconds, .seconds = seconds, .event = "total_step_duration", .run = run});
  };
  for (int step = 1; step <= 8; ++step) add(0, step, 10 * step, 3);
  add(1, 1, 1'000, 60);
  add(1, 2, 61'000, 50);  // after a pause of hours
  const std::vector<Finding> found = found_in(hand.build());
  check_all(found);
  CHECK(!find(found, "slow_step"));
  const Finding* const even = find(found, "even_steps");
  REQUIRE(even);
  CHECK(says(*even, "of run 2, step 1, took 60 s, the median of its run is 55 s"));
  CHECK(number(*even, "median") == 55);
}

TEST_CASE("findings: console log steps that test and save stand out, and falling throughput is reported") {
  const TempDir folder;
  std::string text;
  double over = 0;
  for (int k = 1; k <= 40; ++k) {
    const double gen = 30 + 0.01 * (k % 5), extra = k % 10 == 0 ? 60 + 20 : 0, total = gen + 15 + extra;
    if (extra > 0) over += total - 45.02;
    text += "step:" + std::to_string(k) + " - timing_s/gen:" + std::to_string(gen) + " - timing_s/update_actor:15";
    if (extra > 0) text += " - timing_s/testing:60 - timing_s/save_checkpoint:20";
    text += " - timing_s/step:" + std::to_string(total) + " - perf/throughput:" + std::to_string(1000 - 5 * k) + "\n";
  }
  folder.write("console.log", text);
  const auto snapshot = load_snapshot({folder.path("console.log")}, test_pool(), LoadOptions());
  const RunData data = analyse_run(snapshot->trace, test_pool());
  const std::vector<Finding> found = findings(data, *snapshot->trace);
  check_all(found);
  const Finding* const slow = find(found, "slow_training_step");
  REQUIRE(slow);
  CHECK(number(*slow, "stand out") == 4);
  CHECK(number(*slow, "median") == doctest::Approx(45.02).epsilon(0.001));
  CHECK(number(*slow, "more than the median") == doctest::Approx(over).epsilon(0.01));
  CHECK(says(*slow, "testing 60 s (usually not there), save_checkpoint 20 s (usually not there)"));
  const Finding* const parts = find(found, "training_parts");
  REQUIRE(parts);
  CHECK(number(*parts, "gen") == doctest::Approx(100 * 40 * 30.02 / (40 * 45.02 + 320)).epsilon(0.001));
  const Finding* const throughput = find(found, "throughput");
  REQUIRE(throughput);
  CHECK(number(*throughput, "change") == doctest::Approx(100 * (817.5 - 972.5 + 5) / 972.5).epsilon(0.05));
  CHECK(says(*throughput, "fell"));
}

TEST_CASE("findings: a pipeline's idle time is given with the schedule's share of it, or with missing stages") {
  const TempDir folder;
  const std::vector<std::string> logs = write_logs(folder, "run", PipelinePlan{});
  const auto idle_of = [](const std::vector<std::string>& open) {
    const auto snapshot = load_snapshot(open, test_pool(), LoadOptions());
    const std::vector<Finding> found = findings(analyse_run(snapshot->trace, test_pool()), *snapshot->trace);
    check_all(found);
    const Finding* const bubble = find(found, "bubble");
    REQUIRE(bubble);
    return *bubble;
  };
  const Finding all = idle_of(logs);
  CHECK(number(all, "idle") == doctest::Approx(100 * 3.0 / 11));
  CHECK(number(all, "unavoidable") == doctest::Approx(100 * 3.0 / 11));
  CHECK(says(all, "The 4 stages stood idle 27.3 % of their steps on average; 27.3 % is what the schedule cannot avoid."));
  const Finding one = idle_of({logs[0]}), two = idle_of({logs[0], logs[2]});
  CHECK(says(one, "GPU 0 stood idle 27.3 % of the time from the first to the last job of a step; only one stage is open."));
  CHECK(says(two, "The 2 stages stood idle "));
  CHECK(says(two, "of a step; logs of other stages seem to be missing."));
  for (const Finding* each : {&one, &two}) {
    CHECK(std::isnan(number(*each, "unavoidable")));
    CHECK(each->level == FindingLevel::Note);
  }
}

TEST_CASE("findings: the rank that others waited for, the GPUs' idle time and the compared clocks are reported") {
  CollectiveRun run;
  run.skew = random_skew(3, run.ranks, 20 * kMillisecond);
  const std::vector<PlayedUnit> units = run.units(3);
  const auto trace = view_of(sources_of(units));
  RunData data;
  data.gpu = make_gpu_activity(trace, test_pool());
  data.waits = make_collective_waits(*data.gpu);
  const std::vector<Finding> found = findings(data, *trace);
  check_all(found);
  const std::vector<WaitSum> sums = wait_sums(*data.gpu, *data.waits);
  const auto worst = std::ranges::max_element(sums, {}, &WaitSum::others_waited);
  const Finding* const straggler = find(found, "straggler");
  REQUIRE(straggler);
  CHECK(says(*straggler, data.gpu->gpus[static_cast<std::size_t>(worst - sums.begin())].name.substr(1)));  // capitalised there
  CHECK(number(*straggler, "others waited") == doctest::Approx(to_seconds(worst->others_waited)));
  Ns idle = 0, span = 0;
  for (const Gpu& gpu : data.gpu->gpus) {
    idle += gpu.idle();
    span += gpu.span.length();
  }
  const Finding* const idle_found = find(found, "gpu_idle");
  REQUIRE(idle_found);
  CHECK(number(*idle_found, "idle share") ==
        doctest::Approx(100 * static_cast<double>(idle) / static_cast<double>(span)));
  const Finding* const clocks = find(found, "clocks");
  REQUIRE(clocks);
  CHECK(number(*clocks, "compared") == static_cast<double>(run.ranks));
}

TEST_CASE("findings: a GPU that works in only part of the recording is reported as unused in the rest") {
  const auto found_of = [](Ns first_call, Ns recorded) {
    TraceSketch sketch;
    add_gpu_rank(sketch, 0);
    sketch.slice("r0 cpu", 0, recorded, "main", {}, "python_function");
    sketch.slice("r0 cpu", 10, first_call - 20, "load_data", {}, "python_function");
    for (int n = 0; n < 40; ++n) {
      const Ns at = first_call + 100 * n;
      sketch.slice("r0 cpu", at, 5, "cudaLaunchKernel", {}, "cuda_runtime").correlated(FlowPoint::Kind::Start, static_cast<std::uint64_t>(n) + 1);
      sketch.slice("r0 gpu 7", at + 10, 90, "gemm", {}, "kernel").correlated(FlowPoint::Kind::End, static_cast<std::uint64_t>(n) + 1);
    }
    const auto trace = sketch.build();
    return findings(analyse_run(trace, test_pool()), *trace);
  };
  const std::vector<Finding> late = found_of(4000, 8010);  // from 4,010 to 8,000
  const Finding* const unused = find(late, "gpu_unused");
  REQUIRE(unused);
  CHECK(number(*unused, "unused share") == doctest::Approx(100 * 4020.0 / 8010));
  CHECK(says(*unused, "4.01 \u00b5s before its first work, 10 ns after its last"));
  CHECK(says(*unused, "the CPU was in load_data"));
  REQUIRE(unused->range);
  CHECK(*unused->range == TimeRange{0, 4010});
  CHECK_FALSE(find(found_of(1000, 5000), "gpu_unused"));  // only a fifth is unused
  const std::vector<Finding> early = found_of(100, 8000);
  REQUIRE(find(early, "gpu_unused"));
  CHECK(*find(early, "gpu_unused")->range == TimeRange{4100, 8000});
}

TEST_CASE("findings: GPUs with unequal idle shares get a range, and those with similar shares an average") {
  const auto idle_of = [](Ns busy_of_second) {
    TraceSketch sketch;
    add_gpu_rank(sketch, 0);
    add_gpu_rank(sketch, 1);
    for (const Ns at : {0, 9000}) sketch.slice("r0 gpu 7", at, 1000, "gemm", {}, "kernel");
    sketch.slice("r1 gpu 7", 0, busy_of_second, "gemm", {}, "kernel").slice("r1 gpu 7", 9000, 1000, "gemm", {}, "kernel");
    const auto trace = sketch.build();
    const std::vector<Finding> found = findings(analyse_run(trace, test_pool()), *trace);
    const Finding* const idle = find(found, "gpu_idle");
    REQUIRE(idle);
    CHECK(number(*idle, "most idle") == doctest::Approx(80));
    return idle->sentence;
  };
  CHECK(idle_of(8000).find("were idle 10.0 to 80.0 % of their time, most of all ") != std::string::npos);
  CHECK(idle_of(4000).find("were idle 65.0 % of their time (13 \u00b5s of 20 \u00b5s)") != std::string::npos);
}

TEST_CASE("findings: the timeline marks the range of the worst finding, unless it fills the view") {
  Finding worst;
  worst.level = FindingLevel::Costly;
  worst.range = TimeRange{100, 200};
  const std::vector<Finding> found = {worst, Finding()};
  CHECK(marked_place(found, 1000) == TimeRange{100, 200});
  CHECK_FALSE(marked_place(found, 105));
  CHECK_FALSE(marked_place(std::vector<Finding>(), 1000));
  CHECK_FALSE(marked_place(std::vector<Finding>(1), 1000));  // a note
  worst.range.reset();
  CHECK_FALSE(marked_place(std::vector<Finding>{worst}, 1000));
}
