// The pipeline in a trace of Paddle logs: runs, steps over all devices, arrows and storage.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/io/tables/section_file.h"
#include "core/session/load/load_job.h"
#include "core/session/records/load_args.h"
#include "core/store/logs/pipeline_links.h"
#include "core/store/segments/trace_file.h"
#include "tests/support/gen_pipeline.h"

using namespace tv;
using namespace tv::test;

namespace {

std::shared_ptr<const Trace> load_run(const std::vector<std::string>& paths, const LoadOptions& options = {}) {
  return load_snapshot(paths, test_pool(), options)->trace;
}

const Lane* lane_named(const Trace& trace, std::string_view name) {
  for (const Lane& lane : trace.lanes) {
    if (lane.name == name) return &lane;
  }
  return nullptr;
}

// name, absolute begin and end of each slice of the lane's first row
std::vector<std::tuple<std::string, Ns, Ns>> slices_in(const Trace& trace, const Lane& lane) {
  std::vector<std::tuple<std::string, Ns, Ns>> out;
  const RowSlices row = trace.slices_of(trace.rows_of(lane).front());
  for (std::size_t i = 0; i < row.size(); ++i) {
    out.emplace_back(trace.labels.name(row.label(i)), trace.origin_ns + row.begin(i), trace.origin_ns + row.end(i));
  }
  return out;
}

std::string slice_text(const Trace& trace, SliceId id) {
  const Lane& lane = trace.lane(trace.row(trace.row_of(id)).lane);
  return lane.name + " " + std::string(trace.name_of(id));
}

}  // namespace

TEST_CASE("paddle_pipeline: a step lasts from the first begin to the last end on any device") {
  for (const std::uint64_t seed : seeds(30)) {
    CAPTURE(seed);
    Random random(seed);
    const PipelinePlan plan = random_plan(random);
    const TempDir folder;
    const auto trace = load_run(write_logs(folder, "run", plan, 2));
    const Lane* const steps = lane_named(*trace, "steps");
    REQUIRE(steps);
    CHECK(trace->lane(steps->parent).name == "run");
    CHECK(check_invariants(*trace).empty());
    std::vector<std::tuple<std::string, Ns, Ns>> expected;
    for (const auto& stage : play(plan)) {
      for (const PlayedJob& job : stage) {
        expected.resize(static_cast<std::size_t>(plan.steps), {"", INT64_MAX, INT64_MIN});
        auto& [name, begin, end] = expected[static_cast<std::size_t>(job.step)];
        name = "step " + std::to_string(plan.first_step + job.step);
        begin = std::min(begin, kPipelineEpoch + job.begin);
        end = std::max(end, kPipelineEpoch + job.end);
      }
    }
    CHECK(slices_in(*trace, *steps) == expected);
  }
}

TEST_CASE("paddle_pipeline: runs in different folders do not mix, even with equal step numbers") {
  const TempDir folder;
  PipelinePlan plan;
  plan.stages = 2;
  plan.steps = 2;
  write_logs(folder, "b10", plan);
  folder.write("b10/workerlog.7", "LAUNCH INFO\nno job of its own\n");
  plan.steps = 3;
  write_logs(folder, "b9", plan);
  const auto trace = load_run({folder.path()});
  const auto runs = pipeline_runs(trace->pipeline);
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].steps.size() == 3);
  CHECK(runs[1].steps.size() == 2);
  CHECK(runs[1].stages.size() == 2);
  for (const Flow& flow : trace->flows) {
    const auto from = idx(trace->ref_of(flow.from).source()),
               to = idx(trace->ref_of(flow.to).source());
    CHECK(from / 2 == to / 2);
  }
  CHECK(trace->flows.size() == (2 + 3) * 8 * 3);
  std::uint64_t counted = 0;
  for (const SourceInfo& source : trace->sources) counted += source.flows;
  CHECK(counted == trace->flows.size());
}

TEST_CASE("paddle_pipeline: a device without the banner takes its step numbers from devices with it") {
  const TempDir folder;
  PipelinePlan plan;
  plan.steps = 3;
  plan.first_step = 40;
  const auto jobs = play(plan);
  std::vector<std::string> files;
  for (std::size_t stage = 0; stage < jobs.size(); ++stage) {
    if (stage == 1) plan.first_step = 0;
    files.push_back(folder.write("workerlog." + std::to_string(stage), worker_log(plan, jobs[stage])));
  }
  const auto runs = pipeline_runs(load_run(files)->pipeline);
  REQUIRE(runs.size() == 1);
  REQUIRE(runs[0].steps.size() == 3);
  for (std::size_t s = 0; s < 3; ++s) {
    CHECK(runs[0].steps[s].number == 40 + static_cast<std::int64_t>(s));
    CHECK(std::ranges::count(runs[0].steps[s].parts, kNoPart) == 0);
  }
}

TEST_CASE("paddle_pipeline: a run appended to a log has its own steps") {
  const TempDir folder;
  PipelinePlan plan;
  plan.stages = 2;
  plan.micro_batches = 2;
  plan.first_step = 5;
  const auto jobs = play(plan);
  std::vector<std::string> files;
  for (std::size_t stage = 0; stage < 2; ++stage) {
    auto later = jobs[stage];
    for (PlayedJob& job : later) {
      job.begin += kSecond;
      job.end += kSecond;
    }
    files.push_back(
        folder.write("workerlog." + std::to_string(stage), worker_log(plan, jobs[stage]) + worker_log(plan, later)));
  }
  const auto runs = pipeline_runs(load_run(files)->pipeline);
  REQUIRE(runs.size() == 1);
  REQUIRE(runs[0].steps.size() == 2);
  CHECK(runs[0].steps[0].number == 5);
  CHECK(runs[0].steps[1].number == 5);
  CHECK(runs[0].steps[1].attempt == 1);
  CHECK(runs[0].steps[1].span.begin - runs[0].steps[0].span.begin == kSecond);
}

TEST_CASE("paddle_pipeline: arrows follow each micro-batch, also between machines") {
  const TempDir folder;
  PipelinePlan plan;
  plan.stages = 2;
  plan.micro_batches = 2;
  const auto trace = load_run(write_logs(folder, "run", plan));
  std::multiset<std::string> arrows;
  for (const Flow& flow : trace->flows) {
    arrows.insert(slice_text(*trace, flow.from) + " > " + slice_text(*trace, flow.to));
    CHECK(trace->begin_of(flow.to) >=
          trace->end_of(flow.from));
  }
  CHECK(arrows == std::multiset<std::string>{"GPU 0 forward_0 > GPU 1 forward_0", "GPU 1 forward_0 > GPU 1 backward_0",
                                             "GPU 1 backward_0 > GPU 0 backward_0", "GPU 0 forward_1 > GPU 1 forward_1",
                                             "GPU 1 forward_1 > GPU 1 backward_1",
                                             "GPU 1 backward_1 > GPU 0 backward_1"});

  PipelinePlan chunks;
  chunks.schedule = Schedule::Interleaved;
  chunks.chunks = 2;
  const auto two_machines = load_run(write_logs(folder, "vpp", chunks, 2));
  CHECK(two_machines->flows.size() == 8 * (4 * 2 * 2 - 1));
  bool turns = false;
  for (const Flow& flow : two_machines->flows) {
    turns |= slice_text(*two_machines, flow.from) == "GPU 1 forward0_3" &&
             slice_text(*two_machines, flow.to) == "GPU 0 forward1_3";
    CHECK(two_machines->begin_of(flow.to) >=
          two_machines->end_of(flow.from));
  }
  CHECK(turns);
}

TEST_CASE("paddle_pipeline: parts of a job are not taken for chunks") {
  const TempDir folder;
  std::vector<std::vector<PlayedJob>> stages(2);
  Ns at = 0;
  const auto add = [&](std::size_t stage, const std::string& type, int micro_batch, Ns begin) {
    stages[stage].push_back({type, static_cast<int>(stage), 0, micro_batch, 0, false, false, begin, begin + 5});
  };
  for (const std::size_t stage : {0u, 1u}) {
    add(stage, "forward0", 0, at);
    add(stage, "forward1", 0, at + 10);
    at += 20;
  }
  for (const std::size_t stage : {1u, 0u}) {
    add(stage, "backward0", 0, at);
    add(stage, "backward1", 0, at + 10);
    at += 20;
  }
  const PipelinePlan plan;
  const auto trace = load_run({folder.write("workerlog.0", worker_log(plan, stages[0])),
                               folder.write("workerlog.1", worker_log(plan, stages[1]))});
  const auto runs = pipeline_runs(trace->pipeline);
  const PipelineShape shape = pipeline_shape(trace->pipeline, runs[0].steps[0]);
  CHECK(shape.chunks == 2);
  CHECK(shape.parts);
  CHECK(trace->flows.size() == 7);
  for (const Flow& flow : trace->flows) {
    CHECK(trace->begin_of(flow.to) > trace->begin_of(flow.from));
  }
}

TEST_CASE("paddle_pipeline: there are no arrows if the times contradict the order of the stages") {
  const TempDir folder;
  PipelinePlan plan;
  plan.steps = 2;
  auto jobs = play(plan);
  std::swap(jobs[1], jobs[2]);
  std::vector<std::string> files;
  for (std::size_t stage = 0; stage < jobs.size(); ++stage) {
    files.push_back(folder.write("workerlog." + std::to_string(stage), worker_log(plan, jobs[stage])));
  }
  const auto trace = load_run(files);
  CHECK(trace->flows.empty());
  CHECK(trace->sources[0].problems.count(ProblemKind::stages_out_of_order) == 2);
  CHECK(trace->lost() == 0);

  // All stages do the same at the same time, so none can wait for another.
  std::vector<std::string> alike;
  for (const char* name : {"alike/workerlog.0", "alike/workerlog.1", "alike/workerlog.2"}) {
    alike.push_back(folder.write(name, worker_log(plan, jobs[0])));
  }
  CHECK(load_run(alike)->flows.empty());
}

TEST_CASE("paddle_pipeline: a step's record is that of its first job") {
  const TempDir folder;
  PipelinePlan plan;
  plan.stages = 3;
  const auto trace = load_run(write_logs(folder, "run", plan));
  const Lane* const steps = lane_named(*trace, "steps");
  REQUIRE(steps);
  const ItemRef ref = trace->slices.ref[trace->rows_of(*steps).front().first];
  const auto args = load_args(trace->sources[idx(ref.source())], ref);
  REQUIRE(args.ok());
  CHECK(args.value().find("type")->value == "forward");
  CHECK(args.value().find("micro_batch_id")->value == "0");
}

TEST_CASE("paddle_pipeline: steps that a loaded time window touches are kept whole") {
  const TempDir folder;
  PipelinePlan plan;
  plan.steps = 4;
  const auto files = write_logs(folder, "run", plan);
  const auto all = load_run(files);
  const auto runs = pipeline_runs(all->pipeline);
  LoadOptions options;
  const TimeRange third = runs[0].steps[2].span;
  options.choice.window = TimeRange{third.begin + third.length() / 3, third.begin + third.length() / 2};
  const auto part = load_run(files, options);
  const auto kept = pipeline_runs(part->pipeline);
  REQUIRE(kept.size() == 1);
  REQUIRE(kept[0].steps.size() == 1);
  CHECK(kept[0].steps[0].number == 2);
  CHECK(kept[0].steps[0].span.length() == third.length());
  CHECK(part->pipeline.jobs.size() == all->pipeline.jobs.size() / 4);
  CHECK(part->slices.size() < all->slices.size() / 4);
  CHECK(check_invariants(*part).empty());
}

TEST_CASE("paddle_pipeline: a stored trace keeps devices, steps and jobs") {
  const TempDir folder;
  Random random(7);
  const PipelinePlan plan = random_plan(random);
  const auto trace = load_run(write_logs(folder, "run", plan));
  const std::string path = folder.path("kept.tvx");
  auto writer = SectionWriter::create(path, test_pool());
  REQUIRE(writer.ok());
  write_trace(*writer, *trace, TraceCoding::Packed);
  REQUIRE(writer->finish().ok());
  auto file = SectionFile::open(path, SectionFile::Access::Read);
  REQUIRE(file.ok());
  const auto again = read_trace(**file, test_pool());
  REQUIRE(again.ok());
  const PipelineLog &a = trace->pipeline, &b = again.value()->pipeline;
  REQUIRE(a.devices.size() == b.devices.size());
  for (std::size_t d = 0; d < a.devices.size(); ++d) {
    CHECK(a.text(a.devices[d].name) == b.text(b.devices[d].name));
    CHECK(a.text(a.devices[d].folder) == b.text(b.devices[d].folder));
    CHECK(a.devices[d].number == b.devices[d].number);
    CHECK(a.devices[d].source == b.devices[d].source);
  }
  REQUIRE(a.steps.size() == b.steps.size());
  for (std::size_t s = 0; s < a.steps.size(); ++s) {
    const PipelineStep &x = a.steps[s], &y = b.steps[s];
    CHECK(std::tuple(x.number, x.begin, x.end, x.offset, x.device, x.attempt, x.first_job, x.job_count) ==
          std::tuple(y.number, y.begin, y.end, y.offset, y.device, y.attempt, y.first_job, y.job_count));
  }
  REQUIRE(a.jobs.size() == b.jobs.size());
  for (std::size_t j = 0; j < a.jobs.size(); ++j) {
    const PipelineJob &x = a.jobs[j], &y = b.jobs[j];
    CHECK(std::tuple(x.begin, x.end, x.offset, x.micro_batch, x.chunk, x.work) ==
          std::tuple(y.begin, y.end, y.offset, y.micro_batch, y.chunk, y.work));
  }
}
