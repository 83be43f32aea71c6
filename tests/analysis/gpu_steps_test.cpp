// GPU time in steps and exposed communication, against an oracle that looks at every nanosecond.
#include "core/analysis/gpu/gpu_steps.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/analysis/gpu/exposed_time.h"
#include "tests/support/gen_gpu.h"

using namespace tv;
using namespace tv::test;

namespace {

struct WorkAt {
  LaneId lane;
  DeviceWork work;
  Ns begin, end;
};

std::vector<WorkAt> gpu_work_on(const GpuActivity& activity, const Gpu& gpu) {
  std::vector<WorkAt> out;
  const Trace& trace = *activity.trace;
  for (const std::uint32_t r : gpu.rows) {
    const RowSlices row = trace.slices_of(trace.rows[r]);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const DeviceWork work = activity.work[idx(row.label(i))];
      if (work != DeviceWork::None) out.push_back({trace.rows[r].lane, work, row.begin(i), row.end(i)});
    }
  }
  return out;
}

// Whether such work runs at t, on one lane or on any.
bool at_moment(const std::vector<WorkAt>& all, DeviceWork work, Ns t, LaneId lane = kNone<LaneId>) {
  return std::ranges::any_of(all, [&](const WorkAt& w) {
    return w.work == work && w.begin <= t && t < w.end && (lane == kNone<LaneId> || w.lane == lane);
  });
}

GpuTime time_by_hand(const std::vector<WorkAt>& all, TimeRange step) {
  GpuTime time;
  for (Ns t = step.begin; t < step.end; ++t) {
    const bool compute = at_moment(all, DeviceWork::Compute, t),
               communication = at_moment(all, DeviceWork::Communication, t), graph = at_moment(all, DeviceWork::Graph, t);
    if (compute || communication || graph) {
      ++(communication ? (compute || graph ? time.overlapped : time.exposed) : compute ? time.compute : time.graph);
      time.beside_graph += communication && graph && !compute ? 1 : 0;
    } else if (at_moment(all, DeviceWork::Memory, t)) {
      ++time.memory;
    }
  }
  return time;
}

}  // namespace

TEST_CASE("gpu steps and exposed time: results match a count of every nanosecond") {
  std::size_t looked_at = 0, exposed_lanes = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    const auto trace = gen_gpu_trace(seed).build();
    const auto activity = make_gpu_activity(trace, test_pool());
    const std::vector<StepSource> sources = steps_of(*trace, nullptr);
    const std::vector<GpuSteps> steps = gpu_steps(*activity, sources, test_pool());
    REQUIRE(steps.size() == sources.size());
    for (std::size_t s = 0; s < sources.size(); ++s) {
      for (std::size_t g = 0; g < steps[s].gpus.size(); ++g) {
        const Gpu& gpu = activity->gpus[steps[s].gpus[g]];
        const std::vector<WorkAt> work = gpu_work_on(*activity, gpu);
        CHECK(gpu.process == sources[s].process);
        for (std::size_t i = 0; i < sources[s].steps.size(); ++i) {
          const TimeRange range = sources[s].steps[i].range;
          CAPTURE(sources[s].steps[i].name);
          CHECK(steps[s].time[i * steps[s].gpus.size() + g] == time_by_hand(work, range));
          CHECK(steps[s].recorded[i * steps[s].gpus.size() + g] == range.length());
          ++looked_at;
        }
        Ns outside = 0;
        for (Ns t = 0; t < kGenGpuEnd + 500; ++t) {
          const bool inside = std::ranges::any_of(
              sources[s].steps, [t](const StepRange& r) { return r.range.begin <= t && t < r.range.end; });
          if (!inside) outside += time_by_hand(work, {t, t + 1}).busy();
        }
        if (steps[s].gpus.size() == 1) CHECK(steps[s].outside == outside);
      }
    }
    const ExposedTime exposed = exposed_time(*activity, test_pool());
    for (const Gpu& gpu : activity->gpus) {
      const std::vector<WorkAt> work = gpu_work_on(*activity, gpu);
      std::vector<LaneId> lanes = {gpu.group};
      for (const std::uint32_t r : gpu.rows) lanes.push_back(trace->rows[r].lane);
      for (const LaneId lane : lanes) {
        const ExposedSpans* const spans = exposed.of(lane);
        Ns sum = 0;
        std::size_t hint = 0, wrong = 0;
        for (Ns t = 0; t < kGenGpuEnd + 500; ++t) {
          if (spans && spans->until(t, hint) != sum) ++wrong;
          const bool here = at_moment(work, DeviceWork::Communication, t, lane == gpu.group ? kNone<LaneId> : lane) &&
                            !at_moment(work, DeviceWork::Compute, t) && !at_moment(work, DeviceWork::Graph, t);
          sum += here ? 1 : 0;
        }
        CHECK(wrong == 0);
        CHECK((spans ? spans->total : 0) == sum);
        if (lane == gpu.group) CHECK(sum == gpu.time.exposed);
        if (spans) {
          CHECK(spans->within({300, 1700}) == spans->within({300, 900}) + spans->within({900, 1700}));
          ++exposed_lanes;
        }
      }
    }
  }
  CHECK(looked_at > 40);
  CHECK(exposed_lanes > 5);
}

TEST_CASE("gpu steps: the ranks of a step are combined into a mean, and the worst ranks are named") {
  TraceSketch sketch;
  for (const int rank : {0, 1}) {
    const std::string process = "rank " + std::to_string(rank), gpu = "gpu " + process, cpu = "cpu " + process;
    sketch.lane(gpu, gpu_stream(process, "GPU " + std::to_string(rank))).lane(cpu, cpu_thread(process));
    for (int step = 0; step < 3; ++step) {
      const Ns begin = 1000 * step + 10 * rank;
      sketch.slice(cpu, begin, 900 + 50 * rank, "ProfilerStep#" + std::to_string(7 + step), {}, "user_annotation");
      sketch.slice(cpu, begin + 1, 100, "batch " + std::to_string(step), {}, "user_annotation");
      sketch.slice(gpu, begin + 100, 400, "gemm", {}, "kernel");
      sketch.slice(gpu, begin + 500, 100 + 200 * rank, "ncclDevKernel_AllReduce", {}, "kernel");
    }
  }
  const auto trace = sketch.build();
  const auto activity = make_gpu_activity(trace, test_pool());
  const std::vector<StepSource> sources = steps_of(*trace, nullptr);
  REQUIRE(sources.size() == 4);
  CHECK(sources[0].unit == "ProfilerStep#");  // the profiler's steps come before marks inside them
  CHECK(sources[1].unit == "batch");
  const std::vector<GpuSteps> steps = gpu_steps(*activity, sources, test_pool());
  const std::vector<GpuInStep> gpus = gpus_in_step(StepNumbers(sources), steps, 0, 1);
  REQUIRE(gpus.size() == 2);
  CHECK(gpus[1].source == 2);
  CHECK(gpus[1].step == 1);
  const GpuStepMean mean = mean_of(gpus);
  CHECK(mean.compute == doctest::Approx(400e-9));
  CHECK(mean.exposed == doctest::Approx(200e-9));
  CHECK(mean.length == doctest::Approx(925e-9));
  CHECK(mean.idle == doctest::Approx(325e-9));
  CHECK(mean.longest == 1);
  CHECK(mean.most_exposed == 1);
  CHECK(mean.most_idle == 0);
}

TEST_CASE("gpu steps: GPUs without steps of their own go to the only process that marks steps, if there is just one") {
  const auto of_processes = [](std::initializer_list<const char*> marking) {
    TraceSketch sketch;
    sketch.lane("gpu", gpu_stream("devices")).slice("gpu", 50, 40, "gemm", {}, "kernel");
    for (const char* const process : marking) {
      sketch.lane(process, cpu_thread(process));
      for (int step = 0; step < 2; ++step)
        sketch.slice(process, 100 * step, 90, "step " + std::to_string(step), {}, "nvtx");
    }
    const auto trace = sketch.build();
    const auto activity = make_gpu_activity(trace, test_pool());
    return gpu_steps(*activity, steps_of(*trace, nullptr), test_pool()).front();
  };
  const GpuSteps of_controller = of_processes({"python"});
  REQUIRE(of_controller.gpus.size() == 1);
  CHECK(of_controller.recorded == std::vector<Ns>{40, 0});  // only its work is known to be recorded
  CHECK(of_processes({"python", "another"}).gpus.empty());
}
