// Compares launch delays, waiting calls and the pace of repetitions with plain scans over all slices.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/analysis/gpu/api_waits.h"
#include "core/analysis/gpu/gpu_launches.h"
#include "core/analysis/gpu/range_pace.h"
#include "tests/support/gen_gpu.h"

using namespace tv;
using namespace tv::test;

namespace {

Ns begin_of(const Trace& trace, SliceId slice) { return trace.begin_of(slice); }
Ns end_of(const Trace& trace, SliceId slice) { return begin_of(trace, slice) + trace.duration_of(slice); }
std::string_view name_of(const Trace& trace, SliceId slice) {
  return trace.name_of(slice);
}
std::string_view category_of(const Trace& trace, SliceId slice) {
  return trace.labels.category(trace.label_of(slice));
}
LaneId lane_of(const Trace& trace, SliceId slice) { return trace.row(trace.row_of(slice)).lane; }

bool lies_in(const Trace& trace, LaneId lane, LaneId group) {
  return idx(lane) >= idx(group) && idx(lane) < idx(trace.lane(group).subtree_end);
}

void check_launches(const GpuActivity& activity) {
  const Trace& trace = *activity.trace;
  const auto found = launch_delays(activity, test_pool());
  REQUIRE(found.size() == activity.gpus.size());
  for (std::size_t g = 0; g < found.size(); ++g) {
    std::map<SliceId, SliceId> launch_of_work;
    for (const Flow& flow : trace.flows) {
      if (activity.is_work(flow.from) || !activity.is_work(flow.to)) continue;
      if (!lies_in(trace, lane_of(trace, flow.to), activity.gpus[g].group)) continue;
      launch_of_work.try_emplace(flow.to, flow.from);  // flows are sorted by source
    }
    std::vector<Ns> delays, got;
    std::uint64_t before = 0;
    for (const auto& [work, launch] : launch_of_work) {
      const Ns delay = begin_of(trace, work) - end_of(trace, launch);
      before += delay < 0 ? 1 : 0;
      delays.push_back(std::max<Ns>(delay, 0));
    }
    std::ranges::sort(delays);
    for (const LaunchDelay& one : found[g].delays) {
      got.push_back(one.delay);
      CHECK(launch_of_work.at(one.slice) == one.launch);
    }
    CHECK(got == delays);
    CHECK(found[g].before_return == before);
    CHECK(found[g].without_launch + delays.size() == activity.gpus[g].slices);
  }
}

void check_waits(const GpuActivity& activity) {
  const Trace& trace = *activity.trace;
  const ApiWaits found = api_waits(activity);
  std::size_t calls = 0;
  std::map<std::pair<std::string_view, LaneId>, std::pair<std::uint64_t, Ns>> sums;
  for (std::size_t s = 0; s < trace.slices.size(); ++s) {
    const auto call = id_at<SliceId>(s);
    if (!is_synchronising(category_of(trace, call), name_of(trace, call))) continue;
    ++calls;
    auto& sum = sums[{name_of(trace, call), lane_of(trace, call)}];
    ++sum.first;
    sum.second += trace.slices.duration[s];
    std::optional<Ns> latest;
    for (std::size_t w = 0; w < trace.slices.size(); ++w) {
      const auto work = id_at<SliceId>(w);
      const bool mine = outermost_group(trace, lane_of(trace, work)) == outermost_group(trace, lane_of(trace, call));
      if (!mine || !activity.is_work(work)) continue;
      const Ns end = end_of(trace, work);
      if (end <= begin_of(trace, call) || end > end_of(trace, call)) continue;
      latest = std::max(latest.value_or(end), end);
    }
    const auto wait = std::ranges::find(found.waits, call, &ApiWait::call);
    REQUIRE(wait != found.waits.end());
    REQUIRE((wait->waited_for != kNone<SliceId>) == latest.has_value());
    if (!latest) continue;
    CHECK(end_of(trace, wait->waited_for) == *latest);
    CHECK(wait->after == end_of(trace, call) - *latest);
  }
  CHECK(found.waits.size() == calls);
  CHECK(found.sums.size() == sums.size());
  for (const ApiWaitSum& sum : found.sums) {
    const auto& expected = sums[{trace.labels.name(sum.label), sum.thread}];
    CHECK(sum.count == expected.first);
    CHECK(sum.total == expected.second);
    CHECK(trace.duration_of(sum.longest) == sum.max);
  }
}

void check_pace(const Trace& trace) {
  for (const PaceName& name : pace_names(trace)) {
    CAPTURE(name.text());
    const std::string_view category = name.projected ? "gpu_user_annotation" : "user_annotation";
    std::map<LaneId, std::vector<SliceId>> on_lane;
    Ns total = 0;
    std::uint64_t count = 0;
    for (std::size_t s = 0; s < trace.slices.size(); ++s) {
      const auto slice = id_at<SliceId>(s);
      if (category_of(trace, slice) != category || repeated_name(name_of(trace, slice)) != name.name) continue;
      on_lane[lane_of(trace, slice)].push_back(slice);
      total += trace.slices.duration[s];
      ++count;
    }
    CHECK(name.total == total);
    CHECK(name.count == count);
    const std::vector<PaceLine> lines = pace(trace, name);
    for (const PaceLine& line : lines) {
      std::vector<SliceId>& expected = on_lane[line.lane];
      std::ranges::sort(expected, {}, [&](SliceId slice) { return begin_of(trace, slice); });
      REQUIRE(line.turns.size() == expected.size());
      for (std::size_t t = 0; t < expected.size(); ++t) {
        CHECK(line.turns[t].slice == expected[t]);
        CHECK(line.turns[t].duration == trace.duration_of(expected[t]));
        CHECK(line.turns[t].delta.has_value() == (t > 0));
        if (t == 0) continue;
        CHECK(*line.turns[t].delta == begin_of(trace, expected[t]) - begin_of(trace, expected[t - 1]));
        CHECK(line.turns[t].number > line.turns[t - 1].number);
      }
    }
    const auto long_enough = std::ranges::count_if(on_lane, [](const auto& lane) { return lane.second.size() >= 2; });
    CHECK(lines.size() == static_cast<std::size_t>(long_enough));  // a rank has one thread here
  }
}

}  // namespace

TEST_CASE("launches, waits, pace: results match a plain scan over all slices") {
  std::size_t names = 0;
  for (const std::uint64_t seed : seeds(80)) {
    CAPTURE(seed);
    const auto activity = make_gpu_activity(gen_gpu_trace(seed).build(), test_pool());
    check_launches(*activity);
    check_waits(*activity);
    check_pace(*activity->trace);
    names += pace_names(*activity->trace).size();
  }
  CHECK(names > 0);
}

TEST_CASE("repeated_name: a number at the end of a name is dropped") {
  CHECK(repeated_name("ProfilerStep#6") == "ProfilerStep#");
  CHECK(repeated_name("iteration 12") == "iteration");
  CHECK(repeated_name("step_003") == "step");
  CHECK(repeated_name("global_step: 7") == "global_step");
  CHECK(repeated_name("42") == "42");
  CHECK(repeated_name(" 42") == " 42");
  CHECK(repeated_name("") == "");
  CHECK(repeated_name("train_batch") == "train_batch");
}

TEST_CASE("pace: turns are numbered by their names if those numbers rise, otherwise in order; a name needs three turns") {
  TraceSketch sketch;
  for (const char* const rank : {"a", "b"}) sketch.lane(rank, cpu_thread(std::string("rank ") + rank));
  for (const int n : {5, 6, 9}) sketch.slice("a", n * 100, 50, "step " + std::to_string(n), {}, "nvtx");
  for (const int n : {0, 1, 2}) sketch.slice("b", n * 100, 10 + n, "step 7", {}, "nvtx");
  sketch.slice("b", 400, 10, "twice", {}, "nvtx").slice("b", 500, 10, "twice", {}, "nvtx");
  for (const int n : {6, 7, 8}) sketch.slice("b", n * 100, 10, "call", {}, "cpu_op");
  const auto trace = sketch.build();
  const auto names = pace_names(*trace);
  REQUIRE(names.size() == 1);
  CHECK(names[0].name == "step");
  CHECK(names[0].count == 6);
  const auto lines = pace(*trace, names[0]);
  REQUIRE(lines.size() == 2);
  const auto numbers = [](const PaceLine& line) {
    std::vector<std::int64_t> out;
    for (const PaceTurn& turn : line.turns) out.push_back(turn.number);
    return out;
  };
  CHECK(numbers(lines[0]) == std::vector<std::int64_t>{5, 6, 9});
  CHECK(numbers(lines[1]) == std::vector<std::int64_t>{0, 1, 2});
  CHECK(lines[0].turns[2].delta == 300);
}

TEST_CASE("waits: a call waits for the latest work of its own process") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  add_gpu_rank(sketch, 1);
  sketch.slice("r0 cpu", 0, 500, "cudaStreamSynchronize", {}, "cuda_runtime");
  sketch.slice("r0 gpu 7", 100, 380, "last", {}, "kernel").slice("r0 gpu 22", 100, 50, "first", {}, "kernel");
  sketch.slice("r1 gpu 7", 100, 390, "of another", {}, "kernel");
  sketch.slice("r0 cpu", 600, 50, "cudaStreamSynchronize", {}, "cuda_runtime");
  const auto activity = make_gpu_activity(sketch.build(), test_pool());
  const ApiWaits waits = api_waits(*activity);
  REQUIRE(waits.waits.size() == 2);
  CHECK(name_of(*activity->trace, waits.waits[0].waited_for) == "last");
  CHECK(waits.waits[0].after == 20);
  CHECK(waits.waits[1].waited_for == kNone<SliceId>);
  REQUIRE(waits.sums.size() == 1);
  CHECK(waits.sums[0].for_work == 1);
}

TEST_CASE("delay_quantile: it interpolates as numpy does") {
  GpuLaunches launches;
  for (const Ns delay : {1, 2, 3, 4}) launches.delays.push_back({delay, SliceId{}, SliceId{}});
  CHECK(delay_quantile(launches, 0.9) == doctest::Approx(3.7).epsilon(1e-15));
}
