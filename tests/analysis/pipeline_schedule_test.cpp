// Bubbles, phases and critical paths of pipelines, against the theory of the schedules and a slow count over simulated runs.
#include "core/analysis/training/pipeline_schedule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "core/session/load/load_job.h"
#include "tests/support/gen_pipeline.h"

using namespace tv;
using namespace tv::test;

namespace {

std::shared_ptr<const Trace> load_plan(const PipelinePlan& plan, int per_machine = 0) {
  const TempDir folder;
  return load_snapshot(write_logs(folder, "run", plan, per_machine), test_pool())->trace;
}

PipelineSummary summary_of(const PipelinePlan& plan) {
  const auto summaries = pipeline_summaries(load_plan(plan)->pipeline);
  REQUIRE(summaries.size() == 1);
  REQUIRE(summaries[0].steps.size() == static_cast<std::size_t>(plan.steps));
  return summaries[0];
}

void check_bubbles(const PipelinePlan& plan, double expected) {
  CAPTURE(static_cast<int>(plan.schedule));
  CAPTURE(plan.stages);
  CAPTURE(plan.micro_batches);
  CAPTURE(plan.chunks);
  const PipelineSummary summary = summary_of(plan);
  for (const PipelineStepSummary& step : summary.steps) {
    CHECK(step.in_order);
    CHECK(step.too_early == 0);
    CHECK(step.shape.stages == plan.stages);
    CHECK(step.shape.chunks == plan.chunks);
    CHECK(step.shape.micro_batches == plan.micro_batches);
    CHECK(!step.shape.parts);
    for (const StageStep& stage : step.stages) CHECK(stage.compute_bubble == doctest::Approx(expected).epsilon(1e-9));
    CHECK(step.compute_bubble == doctest::Approx(expected).epsilon(1e-9));
  }
}

// The plan's logs without those of some stages.
PipelineSummary summary_without(const PipelinePlan& plan, const std::vector<int>& missing) {
  const TempDir folder;
  std::vector<std::string> logs = write_logs(folder, "run", plan);
  for (const int stage : missing) logs[static_cast<std::size_t>(stage)].clear();
  std::erase(logs, std::string());
  const auto summaries = pipeline_summaries(load_snapshot(logs, test_pool())->trace->pipeline);
  REQUIRE(summaries.size() == 1);
  return summaries[0];
}

// How much of a range the wanted jobs cover, summed from each change to the next.
using Wanted = std::function<bool(const PlayedJob&)>;
Ns covered_slowly(const std::vector<PlayedJob>& jobs, int step, TimeRange range, const Wanted& wanted) {
  std::vector<Ns> cuts = {range.begin, range.end};
  for (const PlayedJob& job : jobs) {
    for (const Ns t : {job.begin, job.end}) {
      if (t > range.begin && t < range.end) cuts.push_back(t);
    }
  }
  std::sort(cuts.begin(), cuts.end());
  Ns sum = 0;
  for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
    const bool busy = std::any_of(jobs.begin(), jobs.end(), [&](const PlayedJob& job) {
      return job.step == step && wanted(job) && job.begin <= cuts[c] && job.end >= cuts[c + 1];
    });
    if (busy) sum += cuts[c + 1] - cuts[c];
  }
  return sum;
}

TimeRange extent_of(const std::vector<std::vector<PlayedJob>>& stages, int step, const Wanted& wanted) {
  TimeRange range{INT64_MAX, INT64_MIN};
  for (const auto& jobs : stages) {
    for (const PlayedJob& job : jobs) {
      if (job.step != step || !wanted(job)) continue;
      range = {std::min(range.begin, job.begin), std::max(range.end, job.end)};
    }
  }
  return range;
}

}  // namespace

TEST_CASE("pipeline_schedule: a complete pipeline has an ideal, and one without its last stages has none") {
  for (const Schedule schedule : {Schedule::OneFOneB, Schedule::Eager, Schedule::ZbH1, Schedule::Interleaved}) {
    CAPTURE(static_cast<int>(schedule));
    for (const int stages : {3, 4, 8}) {
      PipelinePlan plan;
      plan.schedule = schedule;
      plan.stages = stages;
      plan.chunks = schedule == Schedule::Interleaved ? 2 : 1;
      for (int rounds = 1; rounds <= 4; ++rounds) {
        plan.micro_batches = rounds * stages;
        CAPTURE(plan.micro_batches);
        const PipelineStepSummary whole = summary_without(plan, {}).steps[0];
        CHECK(whole.ideal.has_value());
        CHECK(whole.no_ideal.empty());
        if (rounds < 3) continue;  // with fewer, all forward jobs may come first
        std::vector<int> missing;
        for (int stage = stages - 1; stage > 0; --stage) {
          missing.push_back(stage);
          const PipelineStepSummary step = summary_without(plan, missing).steps[0];
          CHECK_FALSE(step.ideal);
          CHECK_FALSE(step.ideal_interleaved);
          CHECK(step.no_ideal == (stage == 1 ? "only one stage is open" : "logs of other stages seem to be missing"));
        }
      }
    }
  }
}

TEST_CASE("pipeline_schedule: a lost backward job or reordered devices do not count as missing stages") {
  PipelinePlan plan;
  const TempDir folder;
  const std::vector<std::string> logs = write_logs(folder, "run", plan);
  const auto step_of = [](const std::vector<std::string>& files) {
    return pipeline_summaries(load_snapshot(files, test_pool())->trace->pipeline).front().steps.front();
  };
  std::vector<std::vector<PlayedJob>> played = play(plan);
  const auto first = std::ranges::find_if(played.back(), &PlayedJob::backward);
  played.back().erase(first);
  const PipelineStepSummary lost = step_of({logs[0], logs[1], logs[2], folder.write("run/workerlog.3", worker_log(plan, played.back()))});
  CHECK(lost.ideal.has_value());

  std::ranges::reverse(played = play(plan));
  std::vector<std::string> reversed;
  for (std::size_t s = 0; s < played.size(); ++s) {
    reversed.push_back(folder.write("reversed/workerlog." + std::to_string(s), worker_log(plan, played[s])));
  }
  CHECK_FALSE(step_of(reversed).in_order);
  CHECK(step_of(reversed).ideal.has_value());
}

TEST_CASE("pipeline_schedule: bubbles of even schedules match the formulas of the papers") {
  for (int p = 1; p <= 6; ++p) {
    for (int m = 1; m <= 12; ++m) {
      PipelinePlan plan;
      plan.stages = p;
      plan.micro_batches = m;
      const double classic = static_cast<double>(p - 1) / (m + p - 1);
      for (const Schedule schedule : {Schedule::FThenB, Schedule::OneFOneB}) {
        plan.schedule = schedule;
        plan.steps = m % 3 + 1;
        plan.optimizer = m % 2 * 7 * kMillisecond;
        check_bubbles(plan, classic);
        CHECK(summary_of(plan).steps[0].ideal.has_value() == (p > 1));
        CHECK(summary_of(plan).steps[0].ideal.value_or(0) == doctest::Approx(classic).epsilon(1e-12));
        CHECK(!summary_of(plan).steps[0].ideal_interleaved);
      }
      if (m >= p) {  // F, B and W equally long: a third of what 1F1B loses
        plan.schedule = Schedule::ZbH1;
        check_bubbles(plan, static_cast<double>(p - 1) / (3 * m + p - 1));
      }
      if (p > 1 && m % p == 0) {
        plan.schedule = Schedule::Interleaved;
        for (plan.chunks = 2; plan.chunks <= 3; ++plan.chunks) {
          const double interleaved = static_cast<double>(p - 1) / (plan.chunks * m + p - 1);
          check_bubbles(plan, interleaved);
          CHECK(summary_of(plan).steps[0].ideal_interleaved.value() == doctest::Approx(interleaved).epsilon(1e-12));
        }
      }
    }
  }
}

TEST_CASE("pipeline_schedule: a stage twice as slow is named and holds nearly all of the critical path") {
  PipelinePlan plan;
  plan.micro_batches = 32;
  plan.slow_stage = 2;
  plan.slow_factor = 2;
  plan.first_step = 20;
  const PipelineSummary summary = summary_of(plan);
  CHECK(summary.name == "run");
  CHECK(summary.stages == std::vector<std::string>{"GPU 0", "GPU 1", "GPU 2", "GPU 3"});
  const PipelineStepSummary& step = summary.steps[0];
  CHECK(step.number == 20);
  CHECK(step.slowest == 2);
  CHECK(step.stages[2].factor == doctest::Approx(2));
  CHECK(step.stages[1].factor == doctest::Approx(1));
  CHECK(step.path_wait == 0);
  // It gets the first micro-batch after 20 ms, and the stages before it need 40 ms more for the last one. Its second forward
  // job, of 20 ms, is done 10 ms before the first micro-batch is back from the last stage.
  const Ns busy = 60 * kMillisecond * 32, length = 20 * kMillisecond + busy + 10 * kMillisecond + 40 * kMillisecond;
  CHECK(step.span.length() == length);
  CHECK(step.stages[2].busy == busy);
  CHECK(step.stages[2].on_path == busy - 20 * kMillisecond);
  CHECK(step.stages[2].bubble == doctest::Approx(70.0 / 1990));
  CHECK(step.stages[0].bubble == doctest::Approx(1 - 960.0 / 1990));
}

TEST_CASE("pipeline_schedule: sums over random simulated runs match a slow count") {
  for (const std::uint64_t seed : seeds(120)) {
    CAPTURE(seed);
    Random random(seed);
    const PipelinePlan plan = random_plan(random);
    const auto played = play(plan);
    const auto trace = load_plan(plan);
    const PipelineLog& log = trace->pipeline;
    const auto summaries = pipeline_summaries(log);
    const auto runs = pipeline_runs(log);
    REQUIRE(summaries.size() == 1);
    REQUIRE(summaries[0].steps.size() == static_cast<std::size_t>(plan.steps));
    for (int s = 0; s < plan.steps; ++s) {
      const PipelineStepSummary& step = summaries[0].steps[static_cast<std::size_t>(s)];
      const Wanted any = [](const PlayedJob&) { return true; };
      const Wanted compute = [](const PlayedJob& job) { return job.forward || job.backward; };
      const TimeRange span = extent_of(played, s, any), inner = extent_of(played, s, compute);
      CHECK(step.number == plan.first_step + s);
      CHECK(step.span == span);
      CHECK(step.compute == inner);
      double most = 0;
      for (std::size_t g = 0; g < played.size(); ++g) {
        const StageStep& stage = step.stages[g];
        const auto& jobs = played[g];
        const Ns busy = covered_slowly(jobs, s, span, any);
        most = std::max(most, static_cast<double>(busy));
        CHECK(stage.present);
        CHECK(stage.busy == busy);
        CHECK(stage.compute_busy == covered_slowly(jobs, s, inner, compute));
        CHECK(stage.bubble ==
              doctest::Approx(static_cast<double>(span.length() - busy) / static_cast<double>(span.length())));
        Ns works = 0, idle = stage.other_idle;
        for (std::size_t w = 0; w < kPipelineWorks; ++w) {
          const auto work = static_cast<PipelineWork>(w);
          const Ns expected = covered_slowly(jobs, s, span, [&](const PlayedJob& job) {
            std::string type = job.type;
            while (type.back() >= '0' && type.back() <= '9') type.pop_back();
            return type == name(work);
          });
          CHECK(stage.work[w] == expected);
          works += stage.work[w];
        }
        CHECK(works == stage.busy);
        for (std::size_t f = 0; f < kStagePhases; ++f) {
          const TimeRange phase = stage.phase[f];
          CHECK(stage.phase_idle[f] == phase.length() - covered_slowly(jobs, s, phase, any));
          idle += stage.phase_idle[f];
          for (const PlayedJob& job : jobs) {
            if (job.step != s) continue;
            if (f == 0 && job.backward) CHECK(job.begin >= phase.end);
            if (f == 2 && job.forward) CHECK(job.end <= phase.begin);
          }
        }
        CHECK(idle + stage.busy == span.length());
        CHECK(stage.phase[0].begin == inner.begin);
        CHECK(stage.phase[0].end == stage.phase[1].begin);
        CHECK(stage.phase[1].end == stage.phase[2].begin);
        CHECK(stage.phase[2].end == inner.end);
      }
      CHECK(static_cast<double>(step.stages[step.slowest].busy) == most);

      // A job starts as soon as it can, so the path has no holes but the latency, and is as long as the step.
      const std::vector<PathJob> path = critical_path(log, runs[0].steps[static_cast<std::size_t>(s)]);
      REQUIRE(!path.empty());
      CHECK(log.jobs[path.front().job].begin == span.begin);
      CHECK(log.jobs[path.back().job].end == span.end);
      Ns at = span.begin;
      for (const PathJob& job : path) {
        CHECK(log.jobs[job.job].begin == at + job.wait);
        if (plan.latency == 0) CHECK(job.wait == 0);
        at = log.jobs[job.job].end;
      }
      Ns on_path = step.path_wait;
      for (const StageStep& stage : step.stages) on_path += stage.on_path;
      CHECK(on_path == span.length());
    }
  }
}

TEST_CASE("pipeline_schedule: a micro-batch goes through all stages and back") {
  PipelinePlan plan;
  plan.schedule = Schedule::Interleaved;
  plan.stages = 2;
  plan.chunks = 2;
  plan.micro_batches = 4;
  const auto trace = load_plan(plan);
  const PipelineLog& log = trace->pipeline;
  const auto runs = pipeline_runs(log);
  for (int micro_batch = 0; micro_batch < 4; ++micro_batch) {
    std::vector<std::string> way;
    Ns before = 0;
    for (const std::uint32_t j : micro_batch_path(log, runs[0].steps[0], micro_batch)) {
      const PipelineJob& job = log.jobs[j];
      CHECK(job.begin >= before);
      before = job.end;
      std::uint32_t device = 0;
      for (const PipelineStep& step : log.steps) {
        if (j >= step.first_job && j < step.first_job + step.job_count) device = step.device;
      }
      way.push_back(std::string(name(job.work)) + std::to_string(job.chunk) + "@" + std::to_string(device));
    }
    CHECK(way == std::vector<std::string>{"forward0@0", "forward0@1", "forward1@0", "forward1@1", "backward1@1",
                                          "backward1@0", "backward0@1", "backward0@0"});
  }
}
