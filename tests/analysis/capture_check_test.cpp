// Captures that cannot hold all of a GPU's work yield no findings about idle time.
#include "core/analysis/run/capture_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "core/analysis/findings/findings.h"
#include "tests/support/gen_gpu.h"

using namespace tv;
using namespace tv::test;

namespace {

// A call every 100 ns; its kernel, if it has one, 10 ns later.
struct Launches {
  TraceSketch sketch;
  int calls = 0;

  Launches() { add_gpu_rank(sketch, 0); }

  void call(bool work, std::string_view name = "cudaGraphLaunch") {
    const Ns at = 100 * ++calls;
    const auto number = static_cast<std::uint64_t>(calls);
    sketch.slice("r0 cpu", at, 5, name, {}, "cuda_runtime").correlated(FlowPoint::Kind::Start, number);
    if (work) sketch.slice("r0 gpu 7", at + 10, 20, "gemm", {}, "kernel").correlated(FlowPoint::Kind::End, number);
  }

  GpuCapture checked() const {
    const auto activity = make_gpu_activity(sketch.build(), test_pool());
    REQUIRE(activity->gpus.size() == 1);
    return check_captures(*activity, test_pool()).front();
  }
};

bool finds(const std::vector<Finding>& all, std::string_view id) {
  return std::ranges::find(all, id, &Finding::id) != all.end();
}

std::vector<Finding> findings_of(const TraceSketch& sketch) {
  const auto trace = sketch.build();
  return findings(analyse_run(trace, test_pool()), *trace);
}

}  // namespace

TEST_CASE("captures: launches without recorded work are counted before, between and after those with it") {
  Launches whole;
  for (int n = 0; n < 40; ++n) whole.call(true);
  CHECK(whole.checked().launches == 40);
  CHECK(whole.checked().is_whole());
  CHECK(finds(findings_of(whole.sketch), "gpu_idle"));
  CHECK_FALSE(finds(findings_of(whole.sketch), "capture"));

  Launches one;  // a single loss among many is tolerated
  for (int n = 0; n < 40; ++n) one.call(n != 20);
  CHECK(one.checked().lost == 1);
  CHECK(one.checked().is_whole());

  Launches edges;  // one at either end is tolerated
  for (int n = 0; n < 10; ++n) edges.call(n > 0 && n < 9);
  CHECK(edges.checked().without_work() == 2);
  CHECK(edges.checked().is_whole());

  Launches late;  // two at the start are not
  for (int n = 0; n < 10; ++n) late.call(n > 1);
  CHECK_FALSE(late.checked().is_whole());

  Launches lossy;
  for (int n = 0; n < 3; ++n) lossy.call(false);
  for (int n = 0; n < 21; ++n) lossy.call(n % 10 == 0);
  for (int n = 0; n < 2; ++n) lossy.call(false);
  const GpuCapture lost = lossy.checked();
  CHECK(lost.launches == 26);
  CHECK(lost.lost == 18);
  CHECK(lost.before_first == 3);
  CHECK(lost.after_last == 2);
  CHECK_FALSE(lost.is_whole());
  const std::vector<Finding> found = findings_of(lossy.sketch);
  CHECK_FALSE(finds(found, "gpu_idle"));
  const auto said = std::ranges::find(found, "capture", &Finding::id);
  REQUIRE(said != found.end());
  CHECK(said->sentence.find("23 of 26 launches have no work recorded") != std::string::npos);
  CHECK(said->sentence.find("less idle than it looks") != std::string::npos);
}

TEST_CASE("captures: a trace with more items than the limit is not checked, and the sentence says so") {
  Launches lost;
  for (int n = 0; n < 40; ++n) lost.call(n % 2 == 0);
  const auto trace = lost.sketch.build();
  const std::vector<std::string> all = capture_sentences(trace, test_pool(), trace->items());
  REQUIRE(all.size() == 1);
  CHECK(all.front().find("not checked") == std::string::npos);
  const std::vector<std::string> none = capture_sentences(trace, test_pool(), trace->items() - 1);
  REQUIRE(none.size() == 1);
  CHECK(none.front().find("are not checked here") != std::string::npos);
}

TEST_CASE("captures: calls that launch nothing do not count as launches without work") {
  Launches unknown;  // no launch has a flow: the ids are missing, not the work
  for (int n = 0; n < 10; ++n) unknown.call(false);
  unknown.sketch.slice("r0 gpu 7", 50, 20, "gemm", {}, "kernel");
  CHECK(unknown.checked().is_whole());
  CHECK(unknown.checked().launches == 0);

  Launches captured;
  captured.call(true);
  captured.call(false, "cudaStreamBeginCapture");
  for (int n = 0; n < 10; ++n) captured.call(false, "cudaLaunchKernel");
  captured.call(false, "cudaStreamEndCapture");
  captured.call(false, "cudaLaunchHostFunc");
  captured.call(true);
  CHECK(captured.checked().launches == 2);
  CHECK(captured.checked().is_whole());

  Launches nested;  // the driver's call within the runtime's is the same launch
  for (int n = 0; n < 5; ++n) {
    nested.call(true, "cuLaunchKernel");
    nested.sketch.slice("r0 cpu", 100 * nested.calls - 1, 8, "cudaLaunchKernel", {}, "cuda_runtime");
  }
  CHECK(nested.checked().launches == 5);
  CHECK(nested.checked().is_whole());
}

TEST_CASE("captures: ranks that start recording late or stop early are found by comparison with the others") {
  const auto ranks = [](std::initializer_list<TimeRange> ranges) {
    TraceSketch sketch;
    int rank = 0;
    for (const TimeRange& range : ranges) {
      add_gpu_rank(sketch, rank);
      const std::string name = "r" + std::to_string(rank++);
      sketch.slice(name + " cpu", range.begin, range.length(), "ProfilerStep#1", {}, "user_annotation");
      for (Ns t = range.begin; t < range.end; t += 100) sketch.slice(name + " gpu 7", t, 30, "gemm", {}, "kernel");
    }
    return sketch;
  };
  const auto checked = [](const TraceSketch& sketch) {
    return check_captures(*make_gpu_activity(sketch.build(), test_pool()), test_pool());
  };
  for (const GpuCapture& one : checked(ranks({{0, 10000}, {0, 10000}, {50, 10000}, {0, 9950}}))) CHECK(one.is_whole());
  for (const GpuCapture& one : checked(ranks({{0, 10000}, {0, 10000}, {4000, 14000}}))) CHECK(one.is_whole());  // shifted
  for (const GpuCapture& one : checked(ranks({{0, 10000}, {20000, 25000}}))) CHECK(one.is_whole());  // another run
  const TraceSketch late = ranks({{0, 10000}, {0, 10000}, {4000, 10000}, {0, 7000}});
  const std::vector<GpuCapture> found = checked(late);
  REQUIRE(found.size() == 4);
  CHECK(found[0].is_whole());
  CHECK(found[1].is_whole());
  CHECK(found[2].begins_late == 4000);
  CHECK(found[2].ends_early == 0);
  CHECK(found[3].begins_late == 0);
  CHECK(found[3].ends_early == 3000);
  const std::vector<Finding> said = findings_of(late);
  const auto idle = std::ranges::find(said, "gpu_idle", &Finding::id);
  REQUIRE(idle != said.end());
  CHECK(idle->sentence.starts_with("The 2 devices whose capture is complete were idle"));
}

TEST_CASE("captures: a kernel that contains several later kernels of its stream makes the capture incomplete") {
  const auto played = [](int held, std::string_view category, bool ends) {
    TraceSketch sketch;
    add_gpu_rank(sketch, 0);
    sketch.slice("r0 cpu", 0, 10, "first", {}, "cpu_op");  // the trace's time starts here
    sketch.slice("r0 gpu 7", 100, 10, "gemm", {}, "kernel");
    sketch.slice("r0 gpu 7", 200, ends ? 5000 : kOpenEnd, "fmha", {}, category);
    for (int n = 0; n < held; ++n) sketch.slice("r0 gpu 7", 300 + 100 * n, 50, "gemm", {}, "kernel");
    sketch.slice("r0 gpu 22", 250, 900, "ncclDevKernel_AllReduce", {}, "kernel");
    sketch.slice("r0 gpu 7", 9000, 50, "gemm", {}, "kernel");
    return sketch;
  };
  const auto held_in = [](const TraceSketch& sketch) {
    return check_captures(*make_gpu_activity(sketch.build(), test_pool()), test_pool()).front().held;
  };
  CHECK(held_in(played(7, "kernel", true)) == 7);
  CHECK(held_in(played(2, "kernel", true)) == 0);       // a few may overlap
  CHECK(held_in(played(7, "cuda_graph", true)) == 0);   // a graph contains its kernels
  CHECK(held_in(played(7, "kernel", false)) == 0);      // an unfinished kernel is a separate case
  const std::vector<Finding> found = findings_of(played(7, "kernel", true));
  CHECK_FALSE(finds(found, "gpu_idle"));
  const auto said = std::ranges::find(found, "capture", &Finding::id);
  REQUIRE(said != found.end());
  CHECK(said->sentence.find("fmha of 5 µs contains 7 later kernels") != std::string::npos);
  CHECK(said->range == TimeRange{200, 5200});
}
