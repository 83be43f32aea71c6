// These tests compare owners of GPU work with a scan over all slices for each piece of work, and check traces written by hand.
#include "core/analysis/owners/owner_sums.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/analysis/gpu/gpu_launches.h"
#include "core/store/segments/compose.h"
#include "tests/support/gen_gpu.h"

using namespace tv;
using namespace tv::test;

namespace {

struct NamedTime : OwnerTime {
  std::string name;
};
struct NamedTimes {
  std::vector<NamedTime> rows;
  std::uint64_t count = 0;
  Ns all = 0, owned = 0;
};

NamedTimes times_of(const GpuActivity& activity, OwnerBy by) {
  const OwnerPaths paths = owner_paths(activity, test_pool());
  const OwnerTimes times = owner_times(activity, paths, by);
  NamedTimes out{{}, times.count, times.all, times.owned()};
  for (const OwnerTime& row : times.rows) {
    const bool owned = row.why == NoOwner::Owned;
    out.rows.push_back({row, owned ? name_of(*activity.trace, paths, row, by) : row.why == NoOwner::NoLaunch ? "no launch" : "outside"});
  }
  return out;
}

NamedTimes times_of(const std::shared_ptr<const Trace>& trace, OwnerBy by, const std::optional<Scope>& scope = {}) {
  auto activity = make_gpu_activity(trace, test_pool());
  if (scope) activity = activity_within(activity, *scope, test_pool());
  REQUIRE(activity);
  return times_of(*activity, by);
}

const NamedTime* row_of(const NamedTimes& times, std::string_view name) {
  const auto found = std::ranges::find(times.rows, name, &NamedTime::name);
  return found == times.rows.end() ? nullptr : &*found;
}

// A program's thread with slices that are nested at random, some of them begin or end together.
void add_program(TraceSketch& sketch, Random& random, int rank) {
  constexpr std::pair<std::string_view, std::string_view> kSlices[] = {
      {"cpu_op", "aten::mm"},        {"cpu_op", "aten::add"},          {"python_function", "nn.Module: Linear_0"},
      {"python_function", "f.py: f"}, {"python_function", "nn.Module: Block_1"}, {"user_annotation", "part"}};
  const std::string track = "r" + std::to_string(rank) + " cpu";
  for (auto n = random.in(0, 40); n > 0; --n) {
    const auto& [category, name] = random.one_of(kSlices);
    const Ns begin = 100 * random.in(0, 35);
    sketch.slice(track, begin, 100 * random.in(1, 12), name, {}, category);
  }
}

// A kernel and the call that launched it.
void add_work_of(TraceSketch& sketch, std::string_view thread, Ns launched, Ns begin, Ns duration) {
  const std::string key = std::to_string(launched);
  sketch.slice(thread, launched, 2, "cudaLaunchKernel", {}, "cuda_runtime");
  sketch.flow(thread, FlowPoint::Kind::Start, launched, key);
  sketch.slice("r0 gpu 7", begin, duration, "kernel", {}, "kernel");
  sketch.flow("r0 gpu 7", FlowPoint::Kind::End, begin, key);
}

// The innermost slice of this kind around the launch.
SliceId innermost(const Trace& trace, SliceId launch, OwnerKind kind) {
  const TimeRange time = trace.range_of(launch);
  const LaneId thread = thread_group(trace, trace.row(trace.row_of(launch)).lane);
  std::optional<std::tuple<Ns, Ns, RowId, SliceId>> best;
  for (std::size_t r = 0; r < trace.rows.size(); ++r) {
    const Row& row = trace.rows[r];
    if (idx(row.lane) < idx(thread) || idx(row.lane) >= idx(trace.lane(thread).subtree_end)) continue;
    for (const SliceId slice : trace.ids_of(row)) {
      const LabelId label = trace.label_of(slice);
      if (owner_kind(trace.labels.category(label), trace.labels.name(label)) != kind) continue;
      const TimeRange other = trace.range_of(slice);
      const bool around = other.begin <= time.begin && other.end > time.begin && (other.begin < time.begin || other.end >= time.end);
      if (around) best = std::max(best, std::optional(std::tuple(other.begin, -other.end, id_at<RowId>(r), slice)));
    }
  }
  return best ? std::get<SliceId>(*best) : kNone<SliceId>;
}

}  // namespace

TEST_CASE("owners: each piece of work counts for the innermost owner around its launch") {
  std::size_t owned = 0;
  for (const std::uint64_t seed : seeds(120)) {
    CAPTURE(seed);
    Random random(seed);
    TraceSketch sketch = gen_gpu_trace(seed);
    add_program(sketch, random, 0);
    const auto trace = sketch.build();
    const auto activity = make_gpu_activity(trace, test_pool());
    for (const auto& [by, kind] : {std::pair{OwnerBy::Operator, OwnerKind::Operator}, std::pair{OwnerBy::Module, OwnerKind::Module},
                                   std::pair{OwnerBy::Range, OwnerKind::Range}, std::pair{OwnerBy::Function, OwnerKind::Function}}) {
      std::map<std::string, std::pair<std::uint64_t, Ns>> expected, got;
      std::uint64_t count = 0;
      Ns all = 0;
      for (const Gpu& gpu : activity->gpus) {
        for (const std::uint32_t r : gpu.rows) {
          const RowSlices row = trace->slices_of(trace->rows[r]);
          const RowWork work(activity->work, *trace, row);
          for (std::size_t i = 0; i < row.size(); ++i) {
            if (!work.lasts(row, i)) continue;
            const auto launch = launch_of(*activity, row.id(i));
            const SliceId owner = launch ? innermost(*trace, *launch, kind) : kNone<SliceId>;
            std::string name = !launch ? "no launch" : owner == kNone<SliceId> ? "outside" : std::string(trace->name_of(owner));
            if (name.starts_with("nn.Module: ")) name = name.substr(11);
            owned += owner == kNone<SliceId> ? 0 : 1;
            auto& sum = expected[name];
            ++sum.first;
            sum.second += row.duration(i);
            ++count;
            all += row.duration(i);
          }
        }
      }
      const NamedTimes times = times_of(*activity, by);
      for (const NamedTime& row : times.rows) {
        CHECK(row.total >= row.own);
        if (row.count > 0) got[row.name] = {row.count, row.own};
      }
      CHECK(got == expected);
      CHECK(times.count == count);
      CHECK(times.all == all);
    }
  }
  CHECK(owned > 0);
}

TEST_CASE("owners: totals include owners inside, and count an owner within itself once") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  const auto work = [&](Ns launched, Ns begin, Ns duration) { add_work_of(sketch, "r0 cpu", launched, begin, duration); };
  sketch.slice("r0 cpu", 0, 100, "ProfilerStep#1", {}, "user_annotation");
  sketch.slice("r0 cpu", 0, 90, "nn.Module: Block_1", {}, "python_function");
  sketch.slice("r0 cpu", 10, 30, "aten::linear", {}, "cpu_op");
  sketch.slice("r0 cpu", 12, 20, "aten::linear", {}, "cpu_op");
  work(14, 100, 7);
  work(35, 200, 5);
  work(60, 300, 3);
  work(95, 400, 2);
  sketch.slice("r0 gpu 7", 500, 11, "kernel", {}, "kernel");
  const auto trace = sketch.build();

  const NamedTimes operators = times_of(trace, OwnerBy::Operator);
  REQUIRE(operators.rows.size() == 3);
  CHECK(operators.rows[0].name == "aten::linear");
  CHECK(operators.rows[0].own == 12);
  CHECK(operators.rows[0].total == 12);
  CHECK(operators.rows[0].count == 2);
  CHECK(trace->duration_of(operators.rows[0].longest) == 7);
  CHECK(operators.rows[1].why == NoOwner::NoLaunch);
  CHECK(operators.rows[1].own == 11);
  CHECK(operators.rows[2].why == NoOwner::Outside);
  CHECK(operators.rows[2].own == 5);
  CHECK(operators.all == 28);
  CHECK(operators.owned == 12);

  const NamedTimes paths = times_of(trace, OwnerBy::Path);
  REQUIRE(row_of(paths, "Block_1"));
  CHECK(row_of(paths, "Block_1")->own == 3);
  CHECK(row_of(paths, "Block_1")->total == 15);
  REQUIRE(row_of(paths, "Block_1 > aten::linear"));
  CHECK(row_of(paths, "Block_1 > aten::linear")->own == 5);
  CHECK(row_of(paths, "Block_1 > aten::linear")->total == 12);
  CHECK(row_of(paths, "Block_1 > aten::linear > aten::linear")->own == 7);
  CHECK_FALSE(row_of(paths, "ProfilerStep#1"));

  const NamedTimes part = times_of(trace, OwnerBy::Module, Scope{{104, 302}});  // half of the first kernel, two thirds of the third
  CHECK(part.all == 3 + 5 + 2);
  CHECK(row_of(part, "Block_1")->own == 10);
}

TEST_CASE("owners: what the system says of a thread owns nothing, nor does a slice of another file") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  sketch.slice("r0 cpu", 0, 100, "part", {}, "user_annotation");
  sketch.slice("r0 cpu", 10, 80, "running", {}, "sched");
  sketch.slice("r0 cpu", 20, 60, "ioctl", {}, "osrt");
  add_work_of(sketch, "r0 cpu", 30, 200, 9);
  const NamedTimes paths = times_of(sketch.build(), OwnerBy::Path);
  REQUIRE(paths.rows.size() == 1);
  CHECK(paths.rows[0].name == "part");

  // Another file has a slice around the same moment on the same thread.
  TraceSketch other;
  add_gpu_rank(other, 0);
  other.slice("r0 cpu", 5, 90, "aten::of_another_file", {}, "cpu_op");
  const auto view = compose({sketch.build(), other.build()}).value();
  const NamedTimes operators = times_of(view, OwnerBy::Operator);
  REQUIRE(operators.rows.size() == 1);
  CHECK(operators.rows[0].why == NoOwner::Outside);
}

TEST_CASE("owners: the backward pass belongs to the module of its forward operator") {
  TraceSketch sketch;
  add_gpu_rank(sketch, 0);
  LaneSpec autograd;
  autograd.path = {{"rank 0", 0}, {"python 1"}, {"thread 2"}};
  sketch.lane("autograd", autograd);
  sketch.slice("r0 cpu", 0, 50, "nn.Module: Linear_0", {}, "python_function");
  sketch.slice("r0 cpu", 10, 20, "aten::mm", {}, "cpu_op");
  sketch.flow("r0 cpu", FlowPoint::Kind::Start, 10, "fwdbwd 1");
  sketch.slice("autograd", 100, 60, "autograd::engine::evaluate_function: MmBackward0", {}, "cpu_op");
  sketch.flow("autograd", FlowPoint::Kind::End, 100, "fwdbwd 1");
  sketch.slice("autograd", 102, 50, "MmBackward0", {}, "cpu_op");
  sketch.slice("autograd", 104, 20, "aten::mm", {}, "cpu_op");
  add_work_of(sketch, "autograd", 106, 200, 9);
  const auto trace = sketch.build();

  const NamedTimes modules = times_of(trace, OwnerBy::Module);
  REQUIRE(modules.rows.size() == 1);
  CHECK(modules.rows[0].name == "Linear_0");
  CHECK(modules.rows[0].own == 9);
  CHECK(modules.rows[0].backward == 9);
  const NamedTimes operators = times_of(trace, OwnerBy::Operator);
  CHECK(operators.rows[0].name == "aten::mm");
  CHECK(operators.rows[0].total == 9);
  const NamedTimes paths = times_of(trace, OwnerBy::Path);
  CHECK(row_of(paths, "Linear_0 > aten::mm > autograd::engine::evaluate_function: MmBackward0 > MmBackward0 > aten::mm")->own == 9);
}
