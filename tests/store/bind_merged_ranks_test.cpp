// Arrows of ranks that were merged into one file, in which they use the same ids.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/store/trace/bind_flows.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// Ranks with the same ids, each with a program and a GPU. Work waits in queues for longer than ranks are out of step.
struct Merged {
  std::string file = "file";
  bool correlated = true, named = false, one_gpu = false;
  std::size_t ranks = 2, launches = 40;
  std::vector<std::size_t> missing = {};  // how many launches each rank lacks
};

std::string rank_group(const Merged& merged, std::size_t rank) {
  return merged.named ? merged.file + " rank " + std::to_string(rank) : merged.file;
}

TraceSketch merged_lanes(const Merged& merged) {
  TraceSketch sketch;
  for (std::size_t r = 0; r < merged.ranks; ++r) {
    LaneSpec cpu, gpu;
    cpu.path = {{rank_group(merged, r)}, {"program " + std::to_string(r)}, {"thread"}};
    gpu.path = {{rank_group(merged, r)}, {merged.one_gpu ? "GPU" : "GPU " + std::to_string(r)}, {"stream"}};
    gpu.kind = LaneKind::Stream;
    sketch.lane("cpu " + std::to_string(r), cpu);
    sketch.lane("gpu " + std::to_string(r), gpu);
  }
  return sketch;
}

struct Launch {
  std::size_t rank, number;
  Ns call, work;
};

std::vector<Launch> launches_of(const Merged& merged) {
  std::vector<Launch> out;
  for (std::size_t r = 0; r < merged.ranks; ++r) {
    const std::size_t fewer = r < merged.missing.size() ? merged.missing[r] : 0;
    for (std::size_t i = 0; i + fewer < merged.launches; ++i) {
      const auto n = static_cast<Ns>(i), rank = static_cast<Ns>(r);
      out.push_back({r, i, (1000 - 30 * rank + 10 * n) * kMicrosecond, (1500 + 10 * rank + 100 * n) * kMicrosecond});
    }
  }
  return out;
}

void add_call(TraceSketch& sketch, const Merged& merged, const Launch& launch) {
  const std::string track = "cpu " + std::to_string(launch.rank), id = std::to_string(launch.number);
  sketch.slice(track, launch.call, 5000, "call " + std::to_string(launch.rank) + "." + id);
  if (merged.correlated) {
    sketch.correlated(FlowPoint::Kind::Start, launch.number);
  } else {
    sketch.flow(track, FlowPoint::Kind::Start, launch.call, id);
  }
}

void add_work(TraceSketch& sketch, const Merged& merged, const Launch& launch) {
  const std::string track = "gpu " + std::to_string(launch.rank), id = std::to_string(launch.number);
  sketch.slice(track, launch.work, 5000, "work " + std::to_string(launch.rank) + "." + id);
  if (merged.correlated) {
    sketch.correlated(FlowPoint::Kind::End, launch.number);
  } else {
    sketch.flow(track, FlowPoint::Kind::End, launch.work, id);
  }
}

struct Outcome {
  std::size_t right = 0, wrong = 0;
  std::uint64_t doubtful = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(const Trace& trace) {
  Outcome out;
  for (const Flow& flow : trace.flows) {
    const auto name = [&](SliceId id) { return trace.name_of(id).substr(5); };
    ++(name(flow.from) == name(flow.to) ? out.right : out.wrong);
  }
  out.doubtful = trace.sources.front().problems.count(ProblemKind::doubtful_launch);
  return out;
}

}  // namespace

TEST_CASE("bind_flows: merged ranks that follow each other in the file get the right arrows") {
  for (const bool correlated : {true, false}) {
    for (const bool one_gpu : {false, true}) {
      CAPTURE(correlated);
      CAPTURE(one_gpu);
      Merged merged{.correlated = correlated, .one_gpu = one_gpu, .ranks = 3};
      TraceSketch in_turns = merged_lanes(merged), calls_first = merged_lanes(merged), works_first = merged_lanes(merged);
      const std::vector<Launch> launches = launches_of(merged);
      for (std::size_t r = 0; r < merged.ranks; ++r) {
        const auto each = [&](auto add) {
          for (const Launch& launch : launches) {
            if (launch.rank == r) add(launch);
          }
        };
        each([&](const Launch& l) { add_call(in_turns, merged, l), add_work(in_turns, merged, l); });
        each([&](const Launch& l) { add_call(calls_first, merged, l); });
        each([&](const Launch& l) { add_work(calls_first, merged, l); });
        each([&](const Launch& l) { add_work(works_first, merged, l); });
        each([&](const Launch& l) { add_call(works_first, merged, l); });
      }
      CHECK(outcome(*in_turns.build()) == Outcome{120, 0, 0});
      CHECK(outcome(*calls_first.build()) == Outcome{120, 0, 0});
      if (!one_gpu) CHECK(outcome(*works_first.build()) == Outcome{120, 0, 0});
    }
  }
}

// Some merging tools sort by time, which mixes the ranks in the file.
TEST_CASE("bind_flows: merged ranks in the order of time are told apart by names or missing ids, else get no arrows") {
  const auto in_order_of_time = [](const Merged& merged) {
    TraceSketch sketch = merged_lanes(merged);
    std::vector<std::pair<Ns, std::pair<bool, Launch>>> all;
    for (const Launch& launch : launches_of(merged)) {
      all.push_back({launch.call, {true, launch}});
      all.push_back({launch.work, {false, launch}});
    }
    std::ranges::stable_sort(all, {}, [](const auto& one) { return one.first; });
    for (const auto& [time, one] : all) one.first ? add_call(sketch, merged, one.second) : add_work(sketch, merged, one.second);
    return outcome(*sketch.build());
  };
  for (const bool correlated : {true, false}) {
    CAPTURE(correlated);
    CHECK(in_order_of_time({.correlated = correlated, .named = true}) == Outcome{80, 0, 0});
    CHECK(in_order_of_time({.correlated = correlated, .missing = {20, 0}}) == Outcome{60, 0, 0});
    const Outcome doubtful = in_order_of_time({.correlated = correlated});
    CHECK(doubtful.right == 0);
    CHECK(doubtful.wrong == 0);
    CHECK(doubtful.doubtful >= 80);
  }
}

TEST_CASE("bind_flows: a rank whose program was not recorded gets no arrows from another rank's") {
  Merged merged{.named = true};
  TraceSketch sketch = merged_lanes(merged);
  for (const Launch& launch : launches_of(merged)) {
    if (launch.rank == 0) add_call(sketch, merged, launch);
    add_work(sketch, merged, launch);
  }
  LaneSpec third;
  third.path = {{"file rank 2"}, {"program 2"}, {"thread"}};
  sketch.lane("cpu 2", third).slice("cpu 2", 0, 5, "call 2.0").correlated(FlowPoint::Kind::Start, 0);
  const Outcome found = outcome(*sketch.build());
  CHECK(found.right == 40);
  CHECK(found.wrong == 0);
}

// Sorted by kind of record: all calls, then all work, or the other way around, so that the place in the file tells nothing.
TEST_CASE("bind_flows: merged ranks with all calls before or after all work are told apart by delays, else get no arrows") {
  std::mt19937 rng(20);
  const auto below = [&](unsigned n) { return static_cast<Ns>(rng() % n); };
  for (const std::size_t ranks : {2u, 4u}) {
    Merged merged{.ranks = ranks, .launches = 60};
    std::vector<Launch> launches;
    for (std::size_t r = 0; r < ranks; ++r) {
      Ns at = kMillisecond, idle = 0;
      for (std::size_t i = 0; i < merged.launches; ++i) {
        at += (20 + below(100)) * kMicrosecond;
        const Ns begin = std::max(at + (7 + below(3)) * kMicrosecond, idle);
        idle = begin + (10 + below(60)) * kMicrosecond;
        launches.push_back({r, i, at, begin});
      }
    }
    const auto found = [&](const Merged& lanes, const std::vector<Launch>& of, bool calls_first) {
      TraceSketch sketch = merged_lanes(lanes);
      for (const bool calls : {calls_first, !calls_first}) {
        for (const Launch& one : of) calls ? add_call(sketch, lanes, one) : add_work(sketch, lanes, one);
      }
      return outcome(*sketch.build());
    };
    for (const bool calls_first : {true, false}) {
      CAPTURE(ranks);
      CAPTURE(calls_first);
      CHECK(found(merged, launches, calls_first) == Outcome{ranks * merged.launches, 0, 0});  // the delays decide
      const Merged even{.ranks = ranks};
      const Outcome doubtful = found(even, launches_of(even), calls_first);
      CHECK(doubtful.right == 0);
      CHECK(doubtful.wrong == 0);
      CHECK(doubtful.doubtful == ranks * even.launches);
    }
  }
}
