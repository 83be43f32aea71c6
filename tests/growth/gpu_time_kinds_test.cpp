// Growth kinds for what is computed about GPUs: exposed time, steps, collectives, captures. The traces are made without files,
// because reading costs so much that a cost for each pair of GPUs, streams or files would show only with thousands of them.
#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/gpu/exposed_time.h"
#include "core/analysis/gpu/gpu_steps.h"
#include "core/analysis/run/capture_check.h"
#include "core/store/trace/trace_builder.h"
#include "tests/growth/growth.h"
#include "tests/support/gen_gpu.h"

using namespace tv;
using namespace tv::test;

namespace {

Ns ns_at(std::size_t i, Ns apart) { return static_cast<Ns>(i) * apart; }

void marked_step(TraceSketch& sketch, const std::string& thread, const std::string& stream, std::size_t number, Ns begin) {
  sketch.slice(thread, begin, 900, fmt::format("ProfilerStep#{}", number), {}, "user_annotation");
  sketch.slice(stream, begin + 100, 500, "gemm", {}, "kernel");
}

void streams_at_once(Meter& meter, std::size_t n) {
  TraceSketch sketch;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string stream = fmt::format("stream {}", i + 1);
    sketch.lane(stream, gpu_stream("rank 0", "GPU 0", stream));
    sketch.slice(stream, ns_at(i, 10), ns_at(n, 20), "ncclDevKernel_AllReduce", {}, "kernel");
  }
  const auto activity = make_gpu_activity(sketch.build(), test_pool());
  ExposedTime exposed;
  meter.stage("exposed time", [&] { exposed = exposed_time(*activity, test_pool()); });
  CHECK(exposed.lanes.size() == n + 1);
}

void processes_with_steps(Meter& meter, std::size_t n) {
  TraceSketch sketch;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string process = fmt::format("rank {}", i), stream = process + " stream";
    sketch.lane(process, cpu_thread(process)).lane(stream, gpu_stream(process));
    for (std::size_t step = 0; step < 2; ++step) marked_step(sketch, process, stream, step, ns_at(step, 1000));
  }
  const auto trace = sketch.build();
  const auto activity = make_gpu_activity(trace, test_pool());
  const std::vector<StepSource> sources = steps_of(*trace, nullptr);
  std::vector<GpuSteps> steps;
  meter.stage("steps", [&] { steps = gpu_steps(*activity, sources, test_pool()); });
  REQUIRE(steps.size() == n);
  CHECK(steps.back().gpus.size() == 1);
}

// The kernels of each GPU have a different name here. Kernels of real ranks share names, and GPUs with the same name are compared
// in pairs (collective_match.cpp). That cost of n * n is known and listed in gpu_kinds_test.cpp.
void files_with_a_gpu(Meter& meter, std::size_t n) {
  std::vector<SourceView> views;
  for (std::size_t i = 0; i < n; ++i) {
    TraceSketch sketch;
    sketch.lane("stream", gpu_stream(fmt::format("rank {}", i)));
    sketch.slice("stream", ns_at(i, 10), 500, fmt::format("ncclDevKernel_Of{}", i), {}, "kernel");
    SourceView& view = views.emplace_back(sketch.view());
    view.info.path = fmt::format("rank{}.json", i);
    view.info.process = fmt::format("host {}", i);
  }
  const auto trace = build_trace(std::move(views), test_pool());
  std::shared_ptr<const GpuActivity> activity;
  meter.stage("find", [&] { activity = find_gpus(trace, test_pool()); });
  REQUIRE(activity->gpus.size() == n);
  std::vector<GpuCapture> captures;
  meter.stage("captures", [&] { captures = check_captures(*activity, test_pool()); });
  CHECK(captures.size() == n);
  std::shared_ptr<const CollectiveWaits> waits;
  meter.stage("waits", [&] { waits = make_collective_waits(*activity); });
  std::size_t unknown = 0;
  meter.stage("clocks", [&] {
    for (const Gpu& gpu : activity->gpus) {
      const CommGpu* const clock = comm_gpu(*waits, gpu);
      unknown += clock && clock->clock == CommClock::Unknown ? 1 : 0;
    }
  });
  CHECK(unknown == n);
}

// A profiler that records each step in a file of its own.
void recordings_of_a_process(Meter& meter, std::size_t n) {
  std::vector<SourceView> views;
  for (std::size_t i = 0; i < n; ++i) {
    TraceSketch sketch;
    sketch.lane("thread", cpu_thread("rank 0")).lane("stream", gpu_stream("rank 0"));
    marked_step(sketch, "thread", "stream", i, ns_at(i, 1000));
    SourceView& view = views.emplace_back(sketch.view());
    view.info.path = fmt::format("part{}.json", i);
    view.info.process = "host 4711";
  }
  const auto trace = build_trace(std::move(views), test_pool());
  std::shared_ptr<const GpuActivity> activity;
  meter.stage("activity", [&] { activity = make_gpu_activity(trace, test_pool()); });
  REQUIRE(activity->gpus.size() == 1);
  CHECK(activity->gpus.front().unrecorded.size() == n - 1);
  const std::vector<StepSource> sources = steps_of(*trace, nullptr);
  std::vector<GpuSteps> steps;
  meter.stage("steps", [&] { steps = gpu_steps(*activity, sources, test_pool()); });
  REQUIRE(steps.size() == 1);
  CHECK(steps.front().recorded == std::vector<Ns>(n, 900));
}

const GrowthKind kGpuTimeKinds[] = {
    {"streams that communicate at once", 512, streams_at_once},
    {"processes that mark steps", 1024, processes_with_steps},
    {"files with a GPU each", 1024, files_with_a_gpu},
    {"recordings of a process", 1024, recordings_of_a_process},
};

}  // namespace

TEST_SUITE("growth") {
  TEST_CASE("growth: computing the times of GPUs costs at most n log n in GPUs, streams, files and recordings") {
    check_growth(kGpuTimeKinds);
  }
}
