// GPU activity, gaps and communication, against an oracle that looks at every nanosecond.
#include "core/analysis/gpu/gpu_activity.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/gpu/api_waits.h"
#include "core/analysis/gpu/exposed_time.h"
#include "core/analysis/gpu/gpu_gaps.h"
#include "tests/support/gen_gpu.h"

using namespace tv;
using namespace tv::test;

namespace {

struct GpuWork {
  SliceId slice;
  DeviceWork work;
  Ns begin, end;
};

// All work in lanes below the group.
std::vector<GpuWork> work_below(const Trace& trace, LaneId group) {
  std::vector<GpuWork> out;
  for (std::size_t s = 0; s < trace.slices.size(); ++s) {
    const LabelId label = trace.slices.label[s];
    const DeviceWork work = device_work(trace.labels.category(label), trace.labels.name(label));
    if (work == DeviceWork::None) continue;
    for (LaneId lane = trace.row(trace.row_of(id_at<SliceId>(s))).lane; lane != kNone<LaneId>;
         lane = trace.lane(lane).parent) {
      if (lane == group)
        out.push_back(
            {id_at<SliceId>(s), work, trace.slices.begin[s], trace.slices.begin[s] + trace.slices.duration[s]});
    }
  }
  return out;
}

bool runs_at(const std::vector<GpuWork>& all, DeviceWork work, Ns t) {
  return std::ranges::any_of(all, [&](const GpuWork& w) { return w.work == work && w.begin <= t && t < w.end; });
}

// Counts the nanosecond that begins at t.
void add_moment(const std::vector<GpuWork>& all, Ns t, GpuTime& time) {
  const bool compute = runs_at(all, DeviceWork::Compute, t), communication = runs_at(all, DeviceWork::Communication, t),
             graph = runs_at(all, DeviceWork::Graph, t);
  if ((compute || graph) && communication) {
    ++time.overlapped;
    time.beside_graph += compute ? 0 : 1;
  } else if (compute)
    ++time.compute;
  else if (communication)
    ++time.exposed;
  else if (graph)
    ++time.graph;
  else if (runs_at(all, DeviceWork::Memory, t))
    ++time.memory;
}

std::vector<TimeRange> gaps_by_hand(const std::vector<GpuWork>& all, TimeRange span, Ns least) {
  std::vector<TimeRange> gaps;
  for (Ns t = span.begin; t < span.end; ++t) {
    GpuTime time;
    add_moment(all, t, time);
    if (time.busy() > 0) continue;
    if (gaps.empty() || gaps.back().end != t) gaps.push_back({t, t});
    gaps.back().end = t + 1;
  }
  std::erase_if(gaps, [&](TimeRange gap) { return gap.length() < least; });
  return gaps;
}

// Derives the cause as the header defines it, from all slices of the thread.
void check_cause(const GpuActivity& activity, const GpuGap& gap) {
  const Trace& trace = *activity.trace;
  const auto end_of = [&](SliceId s) { return trace.end_of(s); };
  std::optional<SliceId> launch;
  for (const Flow& flow : trace.flows) {
    if (flow.to == gap.after && !activity.is_work(flow.from) && (!launch || flow.from < *launch)) launch = flow.from;
  }
  if (!launch) {
    CHECK(gap.cause == GapCause::unknown);
    return;
  }
  REQUIRE(gap.launch == *launch);
  const Ns of_cpu = std::clamp<Ns>(end_of(*launch) - gap.time.begin, 0, gap.time.length());
  CHECK(gap.of_cpu == of_cpu);
  if (2 * of_cpu < gap.time.length()) {
    CHECK(gap.cause == GapCause::queued);
    return;
  }
  const LaneId thread = trace.row(trace.row_of(*launch)).lane;
  bool waited = false;
  std::optional<Ns> shortest;
  for (const Row& row : trace.rows_of(trace.lane(thread))) {
    for (std::size_t s = row.first; s < row.first + row.count; ++s) {
      const LabelId label = trace.slices.label[s];
      const Ns begin = trace.slices.begin[s], end = begin + trace.slices.duration[s];
      waited |= is_synchronising(trace.labels.category(label), trace.labels.name(label)) && begin <= gap.time.begin &&
                end > gap.time.begin;
      const Ns covered = std::min(end, gap.time.begin + of_cpu) - std::max(begin, gap.time.begin);
      if (covered > 0 && 2 * covered >= of_cpu && (!shortest || end - begin < *shortest)) shortest = end - begin;
    }
  }
  CHECK(gap.cause == (waited ? GapCause::after_sync : GapCause::late_launch));
  // If two cover exactly half each, the one in the middle is taken.
  if (gap.doing != kNone<SliceId>) {
    REQUIRE(shortest);
    CHECK(trace.duration_of(gap.doing) >= *shortest);
    CHECK(2 * gap.doing_time >= of_cpu);
  } else {
    CHECK((!shortest || 2 * *shortest <= of_cpu + 1));
  }
}

}  // namespace

TEST_CASE("device_work, is_synchronising: work and calls are classified by category and name") {
  CHECK(device_work("kernel", "gemm") == DeviceWork::Compute);
  CHECK(device_work("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)") ==
        DeviceWork::Communication);
  CHECK(device_work("Memcpy", "Memcpy HtoD") == DeviceWork::Memory);
  CHECK(device_work("gpu_memset", "Memset (Device)") == DeviceWork::Memory);
  CHECK(device_work("cpu_op", "nccl:all_reduce") == DeviceWork::None);
  for (const char* const call :
       {"cudaStreamSynchronize", "cudaDeviceSynchronize_v3020", "cuCtxSynchronize", "cudaMemcpy", "cudaFree"}) {
    CAPTURE(call);
    CHECK(is_synchronising("cuda_runtime", call));
    CHECK_FALSE(is_synchronising("python_function", call));
  }
  for (const char* const call :
       {"cudaMemcpyAsync", "cudaLaunchKernel", "cudaEventQuery", "cudaFreeAsync", "cudaMalloc"}) {
    CAPTURE(call);
    CHECK_FALSE(is_synchronising("cuda_runtime", call));
  }
}

TEST_CASE("gpu activity: times, collectives and the gap of a small trace match a worked example") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  sketch.slice("r0 gpu 7", 100, 100, "gemm", {}, "kernel")
      .slice("r0 gpu 7", 300, 100, "gemm", {}, "kernel")
      .slice("r0 gpu 22", 150, 100, "ncclDevKernel_AllReduce", {}, "kernel")
      .slice("r0 gpu 22", 240, 20, "Memcpy DtoH", {}, "gpu_memcpy")
      .slice("r0 cpu", 0, 500, "anything", {}, "cpu_op");
  const auto trace = sketch.build();
  const auto activity = make_gpu_activity(trace, test_pool());
  REQUIRE(activity->gpus.size() == 1);
  const Gpu& gpu = activity->gpus[0];
  CHECK(gpu.name == "GPU 0");
  CHECK(gpu.span == TimeRange{100, 400});
  CHECK(gpu.time == GpuTime{150, 50, 50, 10});
  CHECK(gpu.idle() == 40);
  const auto sums = collectives(*activity, test_pool());
  REQUIRE(sums.size() == 1);
  CHECK(sums[0].total == 100);
  CHECK(sums[0].exposed() == 50);
  const GpuGaps gaps = find_gaps(*activity, 40, test_pool());
  REQUIRE(gaps.gaps.size() == 1);
  CHECK(gaps.gaps[0].time == TimeRange{260, 300});
  CHECK(gaps.gaps[0].cause == GapCause::unknown);
  CHECK(find_gaps(*activity, 41, test_pool()).gaps.empty());
}

TEST_CASE("gpu activity: graphs count as their own kind of work and can overlap communication") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  sketch.slice("r0 gpu 7", 100, 100, "CUDA graph 1", {}, "cuda_graph")
      .slice("r0 gpu 7", 300, 100, "gemm", {}, "kernel")
      .slice("r0 gpu 22", 150, 200, "ncclDevKernel_AllReduce", {}, "kernel")
      .slice("r0 gpu 22", 420, 20, "CUDA graph 1", {}, "cuda_graph")
      .slice("r0 cpu", 0, 500, "cudaGraphInstantiate", {}, "cuda_graph_event");
  const auto activity = make_gpu_activity(sketch.build(), test_pool());
  REQUIRE(activity->gpus.size() == 1);
  const GpuTime& time = activity->gpus[0].time;
  CHECK(time == GpuTime{50, 100, 100, 0, 70, 50});
  CHECK(time.computing() == 100);
  CHECK(time.graphs() == 120);
  CHECK(time.communication() == 200);
  CHECK(time.busy() == 320);
  CHECK(activity->gpus[0].span == TimeRange{100, 440});
  CHECK(collectives(*activity, test_pool())[0].exposed() == 100);
}

TEST_CASE("gpu activity: unfinished slices add no time to sums, gaps, waits or scopes") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  sketch.slice("r0 gpu 7", 100, 10, "gemm", {}, "kernel")
      .slice("r0 gpu 7", 150, kOpenEnd, "hung", {}, "kernel")
      .slice("r0 gpu 7", 200, 10, "gemm", {}, "kernel")
      .slice("r0 gpu 22", 160, kOpenEnd, "ncclDevKernel_AllReduce", {}, "kernel")
      .slice("r0 cpu", 0, 500, "cudaDeviceSynchronize", {}, "cuda_runtime");
  const auto trace = sketch.build();
  const auto activity = make_gpu_activity(trace, test_pool());
  REQUIRE(activity->gpus.size() == 1);
  const Gpu& gpu = activity->gpus[0];
  CHECK(gpu.span == TimeRange{100, 210});
  CHECK(gpu.time == GpuTime{20});
  CHECK(gpu.idle() == 90);
  CHECK(collectives(*activity, test_pool()).empty());
  CHECK(exposed_time(*activity, test_pool()).lanes.empty());
  const GpuGaps gaps = find_gaps(*activity, 1, test_pool());
  REQUIRE(gaps.gaps.size() == 1);
  CHECK(gaps.gaps[0].time == TimeRange{110, 200});
  const ApiWaits waits = api_waits(*activity);
  REQUIRE(waits.waits.size() == 1);
  REQUIRE(waits.waits[0].waited_for != kNone<SliceId>);
  CHECK(trace->end_of(waits.waits[0].waited_for) == 210);
  const auto part = activity_within(activity, {{120, 300}}, test_pool());
  REQUIRE(part);
  CHECK(part->gpus[0].time == GpuTime{10});
}

TEST_CASE("gpu activity: a GPU is the group of that name or else the stream's parent, and names tell ranks apart") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  add_gpu_rank(sketch, 1);
  sketch.lane("odd", gpu_stream("other", "device", "stream 1"));
  for (const char* const track : {"r0 gpu 7", "r0 gpu 22", "r1 gpu 7", "odd"})
    sketch.slice(track, 0, 10, "gemm", {}, "kernel");
  const auto activity = make_gpu_activity(sketch.build(), test_pool());
  std::set<std::string> names;
  for (const Gpu& gpu : activity->gpus) names.insert(gpu.name);
  CHECK(names == std::set<std::string>{"rank 0, GPU 0", "rank 1, GPU 1", "other, device"});
  TraceSketch twice;  // two runs: processes of one name, told apart by their keys
  for (const char* const key : {"first", "second"}) {
    twice.lane(key, {{{"rank 0", 0, key}, {"GPU 0"}, {"stream 7"}}, LaneKind::Stream}).slice(key, 0, 10, "gemm", {}, "kernel");
  }
  const auto runs = make_gpu_activity(twice.build(), test_pool());
  REQUIRE(runs->gpus.size() == 2);
  CHECK(runs->gpus[0].name == "rank 0, GPU 0");
  CHECK(runs->gpus[1].name == "rank 0, GPU 0 (2)");
  TraceSketch nsys;
  for (const int rank : {0, 1}) {
    LaneSpec stream, api;
    const LaneSegment process{"rank " + std::to_string(rank) + " actor, ref, pid 47"}, thread{"ray::WorkerDict 47", 0, {}, {.thread = 47}};
    stream.path = {process, {"GPU " + std::to_string(rank) + " NVIDIA H100"}, {"stream 7 (default)"}, {"kernels"}};
    stream.kind = LaneKind::Stream;
    api.path = {process, thread, {"CUDA API"}};
    const std::string track = std::to_string(rank);
    nsys.lane(track, stream).slice(track, 0, 10, "gemm", {}, "kernel");
    nsys.lane("api " + track, api).slice("api " + track, 0, 10, "cudaLaunchKernel", {}, "cuda_runtime");
  }
  const auto reports = make_gpu_activity(nsys.build(), test_pool());
  REQUIRE(reports->gpus.size() == 2);
  CHECK(reports->gpus[1].name == "rank 1, GPU 1");
  for (std::size_t l = 0; l < reports->trace->lanes.size(); ++l) {
    const LaneId lane = id_at<LaneId>(l);
    if (reports->trace->lane(lane).name != "CUDA API") continue;
    CHECK(reports->trace->lane(thread_group(*reports->trace, lane)).name == "ray::WorkerDict 47");
  }
  TraceSketch none;
  none.lane("t", RowRule::Nest).slice("t", 0, 10);
  CHECK(make_gpu_activity(none.build(), test_pool())->gpus.empty());
}

TEST_CASE("gaps: each cause is recognised in a hand-made trace") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  const auto launched = [&](Ns call, Ns length, Ns begin, Ns end, const std::string& key) {
    sketch.slice("r0 gpu 7", begin, end - begin, "gemm", {}, "kernel");
    sketch.slice("r0 cpu", call, length, "cudaLaunchKernel", {}, "cuda_runtime");
    sketch.flow("r0 cpu", FlowPoint::Kind::Start, call, key).flow("r0 gpu 7", FlowPoint::Kind::End, begin, key);
  };
  sketch.slice("r0 cpu", 0, 10, "first", {}, "cpu_op");  // the trace's time starts here
  sketch.slice("r0 gpu 7", 1000, 1000, "gemm", {}, "kernel");
  sketch.slice("r0 cpu", 2100, 700, "aten::item", {}, "cpu_op");
  launched(2900, 50, 3000, 4000, "late");   // 2000 .. 3000, in aten::item
  launched(2960, 10, 5000, 6000, "early");  // 4000 .. 5000
  sketch.slice("r0 cpu", 5500, 510, "cudaStreamSynchronize", {}, "cuda_runtime");
  sketch.slice("r0 cpu", 6015, 800, "aten::to", {}, "cpu_op");
  launched(6900, 20, 7000, 8000, "synced");                  // 6000 .. 7000
  sketch.slice("r0 gpu 7", 9000, 10, "gemm", {}, "kernel");  // 8000 .. 9000, no launch
  const auto trace = sketch.build();
  const auto activity = make_gpu_activity(trace, test_pool());
  const GpuGaps found = find_gaps(*activity, 500, test_pool());
  const auto name_of = [&](SliceId slice) {
    return slice == kNone<SliceId> ? "" : trace->name_of(slice);
  };
  REQUIRE(found.gaps.size() == 4);  // equally long, so ordered by time
  CHECK(found.gaps[0].time.begin == 2000);
  CHECK(found.gaps[0].cause == GapCause::late_launch);
  CHECK(name_of(found.gaps[0].doing) == "aten::item");
  CHECK(found.gaps[0].doing_time == 700);
  CHECK(found.gaps[0].of_cpu == 950);
  CHECK(found.gaps[1].cause == GapCause::queued);
  CHECK(found.gaps[2].cause == GapCause::after_sync);
  CHECK(name_of(found.gaps[2].sync) == "cudaStreamSynchronize");
  CHECK(name_of(found.gaps[2].doing) == "aten::to");
  CHECK(found.gaps[3].cause == GapCause::unknown);
  REQUIRE(found.sums.size() == 1);
  CHECK(found.sums[0].count == 4);
  CHECK(found.sums[0].total == 4000);
  CHECK(found.sums[0].by_cause == std::array<Ns, kGapCauses>{1000, 1000, 1000, 1000});
  CHECK(found.sums[0].unlisted == 0);
}

TEST_CASE("gpu activity, gaps, collectives: results match a count of every nanosecond") {
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    Random random(seed);
    const auto trace = gen_gpu_trace(seed).build();
    const auto activity = make_gpu_activity(trace, test_pool());
    const Ns least = random.in(1, 60);
    const GpuGaps found = find_gaps(*activity, least, test_pool());
    CHECK(std::ranges::is_sorted(found.gaps, std::greater(), [](const GpuGap& gap) { return gap.time.length(); }));
    const auto check_longest = [](const GpuActivity& of) {
      const GpuGaps all = find_gaps(of, 0, test_pool());
      const std::optional<GpuGap> longest = longest_gap(of);
      REQUIRE(longest.has_value() == !all.gaps.empty());
      if (!longest) return;
      const GpuGap& first = all.gaps.front();
      CHECK(longest->gpu == first.gpu);
      CHECK(longest->time == first.time);
      CHECK(longest->before == first.before);
      CHECK(longest->after == first.after);
      CHECK(longest->cause == first.cause);
      CHECK(longest->launch == first.launch);
      CHECK(longest->doing == first.doing);
      CHECK(longest->doing_time == first.doing_time);
    };
    check_longest(*activity);
    const Ns from = random.in(0, kGenGpuEnd);
    const auto part = activity_within(activity, Scope{{from, from + random.in(1, kGenGpuEnd)}, {}}, test_pool());
    if (part) check_longest(*part);
    const std::vector<CollectiveSum> sums = collectives(*activity, test_pool());
    std::size_t lasting_in_all = 0;
    for (std::size_t g = 0; g < activity->gpus.size(); ++g) {
      const Gpu& gpu = activity->gpus[g];
      CAPTURE(gpu.name);
      const std::vector<GpuWork> all = work_below(*trace, gpu.group);
      REQUIRE(all.size() == gpu.slices);
      std::vector<GpuWork> lasting = all;
      std::erase_if(lasting, [](const GpuWork& work) { return work.begin == work.end; });
      CHECK(gpu.span.begin == std::ranges::min_element(lasting, {}, &GpuWork::begin)->begin);
      CHECK(gpu.span.end == std::ranges::max_element(lasting, {}, &GpuWork::end)->end);
      lasting_in_all += lasting.size();
      GpuTime time;
      std::vector<GpuTime> bins(activity->bins());
      for (Ns t = gpu.span.begin; t < gpu.span.end; ++t) {
        add_moment(all, t, time);
        const auto b = static_cast<std::size_t>((t - activity->first_bin) / activity->bin);
        REQUIRE(b < bins.size());
        add_moment(all, t, bins[b]);
      }
      CHECK(gpu.time == time);
      CHECK(gpu.bins == bins);
      CHECK(gpu.idle() == gpu.span.length() - time.busy());

      const std::vector<TimeRange> expected = gaps_by_hand(all, gpu.span, least);
      std::vector<TimeRange> gaps;
      Ns total = 0;
      for (const GpuGap& gap : found.gaps) {
        if (gap.gpu != g) continue;
        gaps.push_back(gap.time);
        total += gap.time.length();
        CHECK(trace->begin_of(gap.after) == gap.time.end);
        CHECK(trace->end_of(gap.before) == gap.time.begin);
        check_cause(*activity, gap);
      }
      std::ranges::sort(gaps, {}, &TimeRange::begin);
      CHECK(gaps == expected);
      CHECK(found.sums[g].count == expected.size());
      CHECK(found.sums[g].total == total);
      Ns by_cause = found.sums[g].unlisted;
      for (const Ns of_cause : found.sums[g].by_cause) by_cause += of_cause;
      CHECK(by_cause == gpu.idle());

      std::map<LabelId, std::array<Ns, 3>> by_label;  // calls, total, overlapped
      for (const GpuWork& work : all) {
        if (work.work != DeviceWork::Communication || work.begin == work.end) continue;
        auto& sum = by_label[trace->label_of(work.slice)];
        ++sum[0];
        sum[1] += work.end - work.begin;
        for (Ns t = work.begin; t < work.end; ++t) {
          sum[2] += runs_at(all, DeviceWork::Compute, t) || runs_at(all, DeviceWork::Graph, t) ? 1 : 0;
        }
      }
      std::size_t names = 0;
      for (const CollectiveSum& sum : sums) {
        if (sum.gpu != g) continue;
        ++names;
        const std::array<Ns, 3> got = {static_cast<Ns>(sum.count), sum.total, sum.overlapped};
        CHECK(got == by_label[sum.label]);
      }
      CHECK(names == by_label.size());
    }
    std::size_t lasting = 0;
    for (std::size_t i = 0; i < trace->slices.size(); ++i) {
      const LabelId label = trace->slices.label[i];
      const bool work = device_work(trace->labels.category(label), trace->labels.name(label)) != DeviceWork::None;
      lasting += work && trace->slices.duration[i] > 0 ? 1 : 0;
    }
    CHECK(lasting_in_all == lasting);
    CHECK(activity->bins() <= 211);
    CHECK(activity->first_bin % (10 * activity->bin) == 0);
  }
}

TEST_CASE("gpu activity: bins are the same with one thread and with four") {
  for (const std::uint64_t seed : seeds(5)) {
    const auto trace = gen_gpu_trace(seed).build();
    ThreadPool one(1), four(4);
    const auto a = make_gpu_activity(trace, one), b = make_gpu_activity(trace, four);
    REQUIRE(a->gpus.size() == b->gpus.size());
    for (std::size_t g = 0; g < a->gpus.size(); ++g) CHECK(a->gpus[g].bins == b->gpus[g].bins);
  }
}
