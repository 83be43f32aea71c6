// GPU activity in a part of a trace: every sum against a count over each nanosecond and slice of that part.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <span>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/gpu/api_waits.h"
#include "core/analysis/gpu/gpu_gaps.h"
#include "core/analysis/gpu/gpu_launches.h"
#include "core/analysis/gpu/range_pace.h"
#include "core/analysis/run/run_scope.h"
#include "core/session/load/load_job.h"
#include "tests/support/gen_gpu.h"
#include "tests/support/gen_pipeline.h"
#include "tests/support/places.h"

using namespace tv;
using namespace tv::test;

namespace {

TimeRange time_of(const Trace& trace, SliceId slice) {
  const Ns begin = trace.begin_of(slice);
  return {begin, begin + trace.duration_of(slice)};
}
LaneId lane_around(const Trace& trace, SliceId slice) { return trace.row(trace.row_of(slice)).lane; }
DeviceWork work_of(const Trace& trace, SliceId slice) {
  const LabelId label = trace.label_of(slice);
  return device_work(trace.labels.category(label), trace.labels.name(label));
}

// All work with a length on the GPU's streams, or on those of them in `lanes` if there are any.
std::vector<SliceId> work_on(const GpuActivity& all, const Gpu& gpu, const std::vector<LaneId>& lanes) {
  std::vector<SliceId> out;
  for (std::size_t s = 0; s < all.trace->slices.size(); ++s) {
    const auto slice = id_at<SliceId>(s);
    const LaneId lane = lane_around(*all.trace, slice);
    const bool mine = gpu_group(*all.trace, lane) == gpu.group && all.trace->lane(lane).kind == LaneKind::Stream;
    const bool in = lanes.empty() || std::ranges::find(lanes, lane) != lanes.end();
    if (mine && in && work_of(*all.trace, slice) != DeviceWork::None && all.trace->slices.duration[s] > 0) {
      out.push_back(slice);
    }
  }
  return out;
}

struct Moments {
  GpuTime time;
  Ns idle = 0, gaps = 0;  // gaps: idle in stretches of at least `least`
};

Moments look_at_each(const Trace& trace, const std::vector<SliceId>& work, TimeRange range, Ns least) {
  TimeRange span{range.end, range.begin};
  for (const SliceId slice : work) span.include(time_of(trace, slice).begin, time_of(trace, slice).end);
  span = clip_to(span, range);
  Moments out;
  Ns idle = 0;
  for (Ns t = span.begin; t <= span.end; ++t) {
    bool compute = false, communication = false, memory = false, graph = false;
    for (const SliceId slice : work) {
      const TimeRange at = time_of(trace, slice);
      if (t < at.begin || t >= at.end) continue;
      compute |= work_of(trace, slice) == DeviceWork::Compute;
      communication |= work_of(trace, slice) == DeviceWork::Communication;
      memory |= work_of(trace, slice) == DeviceWork::Memory;
      graph |= work_of(trace, slice) == DeviceWork::Graph;
    }
    const bool any = compute || communication || memory || graph;
    if (any || t == span.end) {
      out.idle += idle;
      out.gaps += idle >= least ? idle : 0;
      idle = 0;
    } else {
      ++idle;
    }
    if (t == span.end) break;
    out.time.beside_graph += communication && graph && !compute ? 1 : 0;
    (communication ? (compute || graph ? out.time.overlapped : out.time.exposed)
     : compute     ? out.time.compute
     : graph       ? out.time.graph
                   : out.time.memory) += any ? 1 : 0;
  }
  return out;
}

void check_part(const std::shared_ptr<const GpuActivity>& all, const Scope& scope) {
  const Trace& trace = *all->trace;
  const auto part = activity_within(all, scope, test_pool());
  const bool on_lanes = std::ranges::any_of(scope.lanes, [&](LaneId lane) {
    return std::ranges::any_of(all->gpus, [&](const Gpu& gpu) {
      return std::ranges::any_of(gpu.rows, [&](std::uint32_t r) { return trace.rows[r].lane == lane; });
    });
  });
  const std::vector<LaneId> lanes = on_lanes ? scope.lanes : std::vector<LaneId>();
  std::size_t seen = 0;
  Ns communication = 0;
  std::uint64_t launched = 0;
  constexpr Ns kLeast = 3;
  const GpuGaps gaps = part ? find_gaps(*part, kLeast, test_pool()) : GpuGaps();
  for (const Gpu& gpu : all->gpus) {
    const std::vector<SliceId> work = work_on(*all, gpu, lanes);
    const Moments expected = look_at_each(trace, work, scope.range, kLeast);
    const bool there = expected.time.busy() + expected.idle > 0;
    const auto found = part ? std::ranges::find(part->gpus, gpu.group, &Gpu::group) : all->gpus.end();
    REQUIRE((part && found != part->gpus.end()) == there);
    for (const SliceId slice : work) {
      const TimeRange at = time_of(trace, slice);
      if (work_of(trace, slice) == DeviceWork::Communication) communication += clip_to(at, scope.range).length();
    }
    for (std::size_t s = 0; s < trace.slices.size(); ++s) {
      const auto slice = id_at<SliceId>(s);
      const bool mine = lanes.empty() || std::ranges::find(lanes, lane_around(trace, slice)) != lanes.end();
      if (!all->is_work(slice) || !mine || gpu_group(trace, lane_around(trace, slice)) != gpu.group) continue;
      const Ns begin = trace.slices.begin[s];
      launched += there && begin >= scope.range.begin && begin < scope.range.end ? 1 : 0;
    }
    if (!there) continue;
    ++seen;
    CHECK(found->name == gpu.name);
    CHECK(found->time == expected.time);
    CHECK(found->idle() == expected.idle);
    GpuTime sum;
    for (const GpuTime& bin : found->bins) {
      sum.compute += bin.compute;
      sum.overlapped += bin.overlapped;
      sum.exposed += bin.exposed;
      sum.memory += bin.memory;
      sum.graph += bin.graph;
      sum.beside_graph += bin.beside_graph;
    }
    CHECK(sum == expected.time);
    const GapSums& of_gaps = gaps.sums[static_cast<std::size_t>(found - part->gpus.begin())];
    CHECK(of_gaps.total == expected.gaps);
    Ns by_cause = of_gaps.unlisted;
    for (const Ns cause : of_gaps.by_cause) by_cause += cause;
    CHECK(by_cause == expected.idle);
  }
  if (!part) return;
  CHECK(part->gpus.size() == seen);
  CHECK(part->on_lanes == (on_lanes || scope.lanes.empty()));
  for (const GpuGap& gap : gaps.gaps) CHECK(clip_to(gap.time, scope.range) == gap.time);
  Ns total = 0;
  for (const CollectiveSum& sum : collectives(*part, test_pool())) {
    total += sum.total;
    CHECK(sum.overlapped <= sum.total);
  }
  CHECK(total == communication);
  std::uint64_t found_launches = 0;
  for (const GpuLaunches& launches : launch_delays(*part, test_pool())) {
    found_launches += launches.delays.size() + launches.without_launch;
  }
  CHECK(found_launches == launched);
}

void check_calls(const std::shared_ptr<const GpuActivity>& all, const Scope& scope) {
  const Trace& trace = *all->trace;
  const auto part = activity_within(all, scope, test_pool());
  if (!part) return;
  std::map<bool, Ns> time;  // true: of the calls on the scope's lanes; false: of all calls
  std::map<bool, std::size_t> calls;
  bool anywhere = scope.lanes.empty();
  for (std::size_t s = 0; s < trace.slices.size(); ++s) {
    const auto slice = id_at<SliceId>(s);
    const LabelId label = trace.slices.label[s];
    if (!is_synchronising(trace.labels.category(label), trace.labels.name(label))) continue;
    const bool in = scope.lanes.empty() || std::ranges::find(scope.lanes, lane_around(trace, slice)) != scope.lanes.end();
    anywhere |= in;
    const Ns inside = clip_to(time_of(trace, slice), scope.range).length();
    for (const bool key : {true, false}) {
      time[key] += in || !key ? inside : 0;
      calls[key] += (in || !key) && inside > 0 ? 1 : 0;
    }
  }
  const ApiWaits waits = api_waits(*part);
  Ns total = 0;
  for (const ApiWaitSum& sum : waits.sums) total += sum.total;
  CHECK(total == time[anywhere]);
  CHECK(waits.waits.size() == calls[anywhere]);
  CHECK(waits.on_lanes == anywhere);
  // What a call waited for does not depend on the chosen streams.
  std::map<SliceId, SliceId> whole;
  for (const ApiWait& wait : api_waits(*all).waits) whole[wait.call] = wait.waited_for;
  for (const ApiWait& wait : waits.waits) CHECK(whole.at(wait.call) == wait.waited_for);
}

}  // namespace

TEST_CASE("touching: those of disjoint ranges that have a moment in common with a range") {
  const std::vector<TimeRange> ranges = {{2, 5}, {5, 6}, {9, 12}};
  for (Ns begin = 0; begin < 14; ++begin) {
    for (Ns end = begin + 1; end <= 14; ++end) {
      std::vector<TimeRange> expected;
      for (const TimeRange& range : ranges) {
        if (!clip_to(range, {begin, end}).empty()) expected.push_back(range);
      }
      CHECK(std::ranges::equal(touching(ranges, {begin, end}), expected));
    }
  }
  CHECK(touching(std::span<const TimeRange>(), {0, 1}).empty());
}

TEST_CASE("a part of the GPUs' time: sums match a count of every nanosecond") {
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    const auto all = make_gpu_activity(gen_gpu_trace(seed).build(), test_pool());
    if (all->gpus.empty()) continue;
    Random random(seed + 1000);
    const Ns begin = random.in(0, kGenGpuEnd - 1);
    Scope scope{{begin, begin + random.in(1, random.chance(0.3) ? 60 : kGenGpuEnd)}};
    check_part(all, scope);
    check_calls(all, scope);
    for (int n = 0; n < 2; ++n) {
      const auto lane = id_at<LaneId>(random.next() % all->trace->lanes.size());
      if (all->trace->lane(lane).row_count > 0 && std::ranges::find(scope.lanes, lane) == scope.lanes.end()) {
        scope.lanes.push_back(lane);
      }
    }
    CAPTURE(scope.lanes.size());
    check_part(all, scope);
    check_calls(all, scope);
  }
}

TEST_CASE("a part of a trace: a scope that covers everything gives the same results as no scope") {
  for (const std::uint64_t seed : seeds(10)) {
    CAPTURE(seed);
    const auto all = make_gpu_activity(gen_gpu_trace(seed).build(), test_pool());
    if (all->gpus.empty()) continue;
    const auto part = activity_within(all, {{-1'000'000, 1'000'000}}, test_pool());
    REQUIRE(part);
    REQUIRE(part->gpus.size() == all->gpus.size());
    CHECK(part->extent == all->extent);
    for (std::size_t g = 0; g < all->gpus.size(); ++g) {
      CHECK(part->gpus[g].time == all->gpus[g].time);
      CHECK(part->gpus[g].slices == all->gpus[g].slices);
      CHECK(part->gpus[g].bins == all->gpus[g].bins);
    }
    CHECK(find_gaps(*part, 1, test_pool()).gaps.size() == find_gaps(*all, 1, test_pool()).gaps.size());
    CHECK(!activity_within(all, {{1'000'000, 2'000'000}}, test_pool()));
  }
}

TEST_CASE("a part of a trace: turns keep their numbers") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  for (int n = 3; n < 9; ++n) sketch.slice("t", n * 100, 80, "iteration", {}, "user_annotation");
  const auto trace = sketch.build();
  const auto names = pace_names(*trace);
  REQUIRE(!names.empty());
  const auto lines = pace(*trace, names[0], TimeRange{310, 420});  // relative to the first, which begins at 0
  REQUIRE(lines.size() == 1);
  REQUIRE(lines[0].turns.size() == 2);
  CHECK(lines[0].turns[0].number == 3);
  CHECK(*lines[0].turns[0].delta == 100);
  CHECK(pace(*trace, names[0], TimeRange{85, 95}).empty());
}

TEST_CASE("a part of a log: its steps stay whole and keep their numbers and records") {
  const auto trace = load_snapshot({source_dir() + "/tests/fixtures/verl_console/plain.log"}, test_pool())->trace;
  const RunData all = analyse_run(trace, test_pool());
  REQUIRE(all.training);
  const TrainingRun& run = all.training->runs.front();
  REQUIRE(run.steps.size() > 1);
  const MetricStep& last = trace->metrics.steps[run.records.back()];
  const ScopedRun part = run_within(all, {{last.begin + 1, last.begin + 2}}, RunPart::Training, test_pool());
  CHECK(part.inside);
  REQUIRE(part.data.training->runs.size() == 1);
  const TrainingRun& of = part.data.training->runs.front();
  CHECK(of.steps == std::vector<std::int64_t>{run.steps.back()});
  CHECK(of.records == std::vector<std::uint32_t>{run.records.back()});
  for (std::size_t m = 0; m < run.metrics.size(); ++m) {
    REQUIRE(of.metrics[m].values.size() == 1);
    const double a = of.metrics[m].values[0], b = run.metrics[m].values.back();
    CHECK(((a == b) || (a != a && b != b)));
  }
  const ScopedRun none = run_within(all, {{-10, -5}}, RunPart::Training, test_pool());
  CHECK(!none.inside);
  CHECK(none.data.training == all.training);
  CHECK(none.area_text.starts_with("all data"));
}

TEST_CASE("a part of a pipeline: it has only the step that it covers") {
  PipelinePlan plan;
  plan.steps = 3;
  plan.first_step = 4;
  const TempDir folder;
  const RunData all = analyse_run(load_snapshot(write_logs(folder, "run", plan), test_pool())->trace, test_pool());
  REQUIRE(all.pipelines);
  const TimeRange second = (*all.pipelines)[0].steps[1].span;
  const ScopedRun part = run_within(all, {second}, RunPart::Pipeline, test_pool());
  REQUIRE((*part.data.pipelines)[0].steps.size() == 1);
  CHECK((*part.data.pipelines)[0].steps[0].number == 5);
}
