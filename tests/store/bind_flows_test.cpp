#include "core/store/trace/bind_flows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "core/store/trace/trace_builder.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

using Kind = FlowPoint::Kind;
using Bind = FlowPoint::Bind;

// "a->b, c->d": the names of the slices that arrows join.
std::string arrows(const Trace& trace) {
  std::string out;
  for (const Flow& flow : trace.flows) {
    const auto name = [&](SliceId id) { return std::string(trace.labels.name(trace.slices.label[idx(id)])); };
    out += (out.empty() ? "" : ", ") + name(flow.from) + "->" + name(flow.to);
  }
  return out;
}

std::uint64_t problems(const Trace& trace, ProblemKind kind) {
  return trace.sources.front().problems.count(kind);
}

TraceSketch launch_and_kernel() {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest).lane("gpu", RowRule::Nest, LaneKind::Stream);
  sketch.slice("cpu", 0, 100, "step").slice("cpu", 10, 20, "launch").slice("gpu", 50, 30, "kernel");
  return sketch;
}

}  // namespace

TEST_CASE("bind_flows: a start binds to the innermost slice around it, an end to the one that begins there") {
  TraceSketch sketch = launch_and_kernel();
  sketch.flow("cpu", Kind::Start, 15, "1").flow("gpu", Kind::End, 50, "1");
  CHECK(arrows(*sketch.build()) == "launch->kernel");
}

TEST_CASE("bind_flows: an end with Bind Next binds to the next slice to begin") {
  TraceSketch sketch = launch_and_kernel();
  sketch.flow("cpu", Kind::Start, 15, "1").flow("gpu", Kind::End, 40, "1", Bind::Next);
  CHECK(arrows(*sketch.build()) == "launch->kernel");
}

TEST_CASE("bind_flows: a point binds to a slice that ends there when no other slice is around it") {
  TraceSketch sketch = launch_and_kernel();
  sketch.slice("gpu", 120, 30, "late");
  sketch.flow("cpu", Kind::Start, 100, "1").flow("gpu", Kind::End, 150, "1");
  CHECK(arrows(*sketch.build()) == "step->late");
}

TEST_CASE("bind_flows: at the boundary of two slices the one that begins wins") {
  TraceSketch sketch = launch_and_kernel();
  sketch.slice("gpu", 80, 10, "second");
  sketch.flow("cpu", Kind::Start, 15, "1").flow("gpu", Kind::End, 80, "1");
  CHECK(arrows(*sketch.build()) == "launch->second");
}

TEST_CASE("bind_flows: a flow point in a slice's own record binds to that slice") {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest);
  sketch.slice("cpu", 0, 100, "outer").slice("cpu", 0, 10, "inner").record_flow("cpu", Kind::Start, "1");
  sketch.slice("cpu", 50, 10, "other").record_flow("cpu", Kind::End, "1");
  CHECK(arrows(*sketch.build()) == "inner->other");
}

TEST_CASE("bind_flows: steps form a chain, and one start can have several ends") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  for (const char* name : {"a", "b", "c", "d", "e"}) sketch.slice("t", 10 * (name[0] - 'a'), 10, name);
  sketch.flow("t", Kind::Start, 1, "x").flow("t", Kind::Step, 11, "x").flow("t", Kind::End, 21, "x");
  sketch.flow("t", Kind::Start, 1, "y").flow("t", Kind::End, 31, "y").flow("t", Kind::End, 41, "y");
  CHECK(arrows(*sketch.build()) == "a->b, a->d, a->e, b->c");
}

TEST_CASE("bind_flows: points without a counterpart and points outside of any slice are counted") {
  TraceSketch sketch = launch_and_kernel();
  sketch.flow("cpu", Kind::Start, 15, "alone").flow("gpu", Kind::End, 50, "orphan");
  sketch.flow("cpu", Kind::Start, 15, "nowhere").flow("gpu", Kind::End, 900, "nowhere");
  const auto trace = sketch.build();
  CHECK(trace->flows.empty());
  CHECK(problems(*trace, ProblemKind::unmatched_flow) == 2);
  CHECK(problems(*trace, ProblemKind::unbound_flow) == 1);
}

TEST_CASE("bind_flows: a key used again begins a new arrow") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  for (const char* name : {"a", "b", "c", "d"}) sketch.slice("t", 10 * (name[0] - 'a'), 10, name);
  sketch.flow("t", Kind::Start, 1, "x").flow("t", Kind::End, 11, "x");
  sketch.flow("t", Kind::Start, 21, "x").flow("t", Kind::End, 31, "x");
  CHECK(arrows(*sketch.build()) == "a->b, c->d");
}

TEST_CASE("bind_flows: arrows are sorted, and found by either end") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    const auto by_end = trace->flows.own_by_end();
    REQUIRE(by_end.size() == trace->flows.size());
    std::map<SliceId, std::vector<std::size_t>> leaving, entering;
    for (std::size_t i = 0; i < trace->flows.size(); ++i) {
      leaving[trace->flows[i].from].push_back(i);
      entering[trace->flows[i].to].push_back(i);
      if (i == 0) continue;
      const Flow a = trace->flows[by_end[i - 1]], b = trace->flows[by_end[i]];
      REQUIRE(std::pair(a.to, a.from) <= std::pair(b.to, b.from));
      REQUIRE(std::pair(trace->flows[i - 1].from, trace->flows[i - 1].to) <=
              std::pair(trace->flows[i].from, trace->flows[i].to));
    }
    for (const SliceId slice : trace->ids()) {
      std::vector<std::size_t> found;
      trace->flows.leaving(slice, [&](std::size_t n, const Flow& flow) {
        found.push_back(n);
        REQUIRE(flow == trace->flows[n]);
      });
      REQUIRE(found == leaving[slice]);
      found.clear();
      trace->flows.entering(slice, [&](std::size_t n, const Flow&) { found.push_back(n); });
      REQUIRE(found == entering[slice]);
    }
  }
}

// A lane's points are bound in parts of 65,536. Each step on "cpu" has a launch below it, in which the point is; around
// everything lies one slice.
TEST_CASE("bind_flows: a lane with more points than are bound at a time gets the right arrows") {
  constexpr Ns kCount = 150'000;
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest).lane("gpu", RowRule::Nest, LaneKind::Stream);
  sketch.slice("cpu", 0, kCount * 100, "all");
  for (Ns i = 0; i < kCount; ++i) {
    sketch.slice("cpu", i * 100, 90, "step").slice("cpu", i * 100 + 10, 20, "launch").slice("gpu", i * 100 + 50, 30, "kernel");
    const std::string key = std::to_string(i);
    sketch.flow("cpu", Kind::Start, i * 100 + (i % 2 ? 15 : 10), key).flow("gpu", Kind::End, i * 100 + 50, key);
  }
  const auto trace = sketch.build();
  REQUIRE(trace->flows.size() == static_cast<std::size_t>(kCount));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < trace->flows.size(); ++i) {
    const std::size_t from = idx(trace->flows[i].from), to = idx(trace->flows[i].to);
    const Ns start = static_cast<Ns>(i) * 100;
    wrong += trace->slices.begin[from] != start + 10 || trace->slices.begin[to] != start + 50 ? 1 : 0;
    wrong += trace->labels.name(trace->slices.label[from]) != "launch" ? 1 : 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("bind_flows: a correlation id joins a call and its work without any flow event") {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest).lane("gpu", RowRule::Nest, LaneKind::Stream);
  sketch.slice("cpu", 10, 20, "graph launch").correlated(Kind::Start, 7);
  for (const char* name : {"k0", "k1", "k2"}) sketch.slice("gpu", 50 + 10 * (name[1] - '0'), 5, name).correlated(Kind::End, 7);
  sketch.slice("cpu", 40, 5, "get device").correlated(Kind::Start, 8);
  const auto trace = sketch.build();
  CHECK(arrows(*trace) == "graph launch->k0, graph launch->k1, graph launch->k2");
  CHECK(problems(*trace, ProblemKind::unmatched_flow) == 0);
  CHECK(trace->sources.front().flows == 3);
}

TEST_CASE("bind_flows: flow events that repeat correlation ids add no second arrow and no different one") {
  // All begin in the same microsecond, and the flow events do not say which slice they are in.
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest).lane("gpu", RowRule::Nest, LaneKind::Stream);
  sketch.slice("cpu", 1000, 300, "launch").correlated(Kind::Start, 1);
  sketch.slice("cpu", 1000, 100, "set attribute").correlated(Kind::Start, 2);
  sketch.slice("gpu", 1000, 0, "marker").slice("gpu", 1000, 50, "kernel").correlated(Kind::End, 1);
  sketch.numbered_flow("cpu", Kind::Start, 1000, 1).numbered_flow("gpu", Kind::End, 1000, 1);
  sketch.numbered_flow("cpu", Kind::End, 1000, 2);  // as kineto does at each call
  const auto trace = sketch.build();
  CHECK(arrows(*trace) == "launch->kernel");
  CHECK(problems(*trace, ProblemKind::unmatched_flow) == 0);
}

TEST_CASE("bind_flows: a flow end at a graph's launch itself adds no arrow") {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest).lane("gpu", RowRule::Nest, LaneKind::Stream);
  sketch.slice("cpu", 1000, 20, "launch").correlated(Kind::Start, 7).numbered_flow("cpu", Kind::End, 1000, 7);
  sketch.slice("gpu", 1100, 40, "k0").correlated(Kind::End, 7).numbered_flow("gpu", Kind::End, 1100, 7);
  sketch.slice("gpu", 1150, 40, "k1").correlated(Kind::End, 7).numbered_flow("gpu", Kind::End, 1150, 7);
  const auto trace = sketch.build();
  CHECK(arrows(*trace) == "launch->k0, launch->k1");
  CHECK(problems(*trace, ProblemKind::unmatched_flow) == 0);
}

TEST_CASE("bind_flows: a flow joins a host call to a device call with the same correlation id") {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest).lane("device", RowRule::Nest, LaneKind::Stream);
  sketch.slice("cpu", 1000, 30, "synchronizeStream").correlated(Kind::Start, 7).numbered_flow("cpu", Kind::Start, 1000, 7);
  sketch.slice("device", 1010, 10, "synchronize").correlated(Kind::Start, 7).numbered_flow("device", Kind::End, 1010, 7);
  const auto trace = sketch.build();
  CHECK(arrows(*trace) == "synchronizeStream->synchronize");
  CHECK(problems(*trace, ProblemKind::unmatched_flow) == 0);
}

TEST_CASE("bind_flows: equal correlation ids in different files are not joined") {
  TraceSketch a, b;
  for (TraceSketch* sketch : {&a, &b}) {
    const std::string name = sketch == &a ? "a" : "b";
    LaneSpec cpu, gpu;
    cpu.path = {{name}, {"cpu"}};
    gpu.path = {{name}, {"gpu"}};
    sketch->lane("cpu", cpu).lane("gpu", gpu);
    sketch->slice("cpu", 10, 5, name + " call").correlated(Kind::Start, 1);
    sketch->slice("gpu", 30, 5, name + " kernel").correlated(Kind::End, 1);
  }
  const auto trace = build_trace({a.view(), b.view()}, test_pool());
  CHECK(arrows(*trace) == "a call->a kernel, b call->b kernel");
}

TEST_CASE("bind_flows: of calls with one correlation id, the one with a flow start launches, else the latest before work") {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest).lane("gpu", RowRule::Nest, LaneKind::Stream);
  sketch.slice("cpu", 10, 20, "runtime").correlated(Kind::Start, 1).slice("cpu", 12, 10, "driver").correlated(Kind::Start, 1);
  sketch.slice("gpu", 50, 5, "k").correlated(Kind::End, 1);
  CHECK(arrows(*sketch.build()) == "driver->k");
  sketch.numbered_flow("cpu", Kind::Start, 10, 1);
  CHECK(arrows(*sketch.build()) == "runtime->k");
}

TEST_CASE("bind_flows: work that begins before its call because of an inaccurate clock is still joined to it") {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest).lane("gpu", RowRule::Nest, LaneKind::Stream);
  sketch.slice("cpu", 60, 20, "call").correlated(Kind::Start, 1).slice("gpu", 50, 5, "k").correlated(Kind::End, 1);
  CHECK(arrows(*sketch.build()) == "call->k");
}

TEST_CASE("bind_flows: flow events join calls and work where one side has no correlation id") {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest).lane("gpu", RowRule::Nest, LaneKind::Stream);
  sketch.slice("cpu", 10, 20, "call").numbered_flow("cpu", Kind::Start, 10, 1);
  sketch.slice("gpu", 50, 5, "k").correlated(Kind::End, 1).numbered_flow("gpu", Kind::End, 50, 1);
  sketch.slice("cpu", 80, 20, "call 2").correlated(Kind::Start, 2).numbered_flow("cpu", Kind::Start, 80, 2);
  sketch.slice("gpu", 110, 5, "k 2").numbered_flow("gpu", Kind::End, 110, 2);
  // A flow end at further work of a call.
  sketch.slice("cpu", 150, 20, "call 3").correlated(Kind::Start, 3).numbered_flow("cpu", Kind::Start, 150, 3);
  sketch.slice("gpu", 180, 5, "k 3").correlated(Kind::End, 3).slice("gpu", 190, 5, "more").numbered_flow("gpu", Kind::End, 190, 3);
  CHECK(arrows(*sketch.build()) == "call->k, call 2->k 2, call 3->k 3, call 3->more");
}

TEST_CASE("bind_flows: a call or its work that was not recorded is counted if a flow event refers to it") {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest).lane("gpu", RowRule::Nest, LaneKind::Stream);
  sketch.slice("gpu", 50, 5, "k").correlated(Kind::End, 1).numbered_flow("gpu", Kind::End, 50, 1);
  sketch.slice("cpu", 80, 5, "call").correlated(Kind::Start, 2).numbered_flow("cpu", Kind::Start, 80, 2);
  sketch.slice("cpu", 90, 5, "get device").correlated(Kind::Start, 3).numbered_flow("cpu", Kind::End, 90, 3);
  const auto trace = sketch.build();
  CHECK(trace->flows.empty());
  CHECK(problems(*trace, ProblemKind::unmatched_flow) == 2);
}

TEST_CASE("bind_flows: an end before its start is joined to it, and the clock difference is reported") {
  TraceSketch sketch = launch_and_kernel();
  sketch.slice("gpu", 5, 4, "early").slice("gpu", 100, 5, "third").slice("cpu", 110, 5, "third launch");
  sketch.flow("gpu", Kind::End, 5, "1").flow("cpu", Kind::Start, 12, "1");
  sketch.flow("cpu", Kind::Start, 15, "2").flow("gpu", Kind::End, 50, "2");
  sketch.flow("cpu", Kind::Start, 112, "3").flow("gpu", Kind::End, 100, "3");
  const auto trace = sketch.build();
  CHECK(arrows(*trace) == "third launch->third, launch->early, launch->kernel");
  CHECK(problems(*trace, ProblemKind::unmatched_flow) == 0);
  const std::vector<SourceFact>& facts = trace->sources.front().facts;
  REQUIRE(facts.size() == 1);
  CHECK(facts.front() == SourceFact{"clocks", "disagree by 7 ns to 12 ns, median 12 ns", "2 arrows end before they begin"});
}

TEST_CASE("bind_flows: reused ids on clocks that differ are paired in file order") {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest).lane("gpu", RowRule::Nest, LaneKind::Stream);
  for (const char* name : {"a", "b", "c"}) {
    const Ns at = 1000 * (name[0] - 'a' + 1);
    sketch.slice("cpu", at, 10, std::string("call ") + name).flow("cpu", Kind::Start, at, "x");
    sketch.slice("gpu", at - 50, 10, name).flow("gpu", Kind::End, at - 50, "x");
  }
  CHECK(arrows(*sketch.build()) == "call a->a, call b->b, call c->c");
}

TEST_CASE("bind_flows: of several ends, one long before the start is not joined to it") {
  TraceSketch sketch = launch_and_kernel();
  sketch.slice("gpu", 20 * kMillisecond, 5, "late").slice("cpu", 19 * kMillisecond, 5, "late launch");
  sketch.flow("gpu", Kind::End, 50, "1").flow("cpu", Kind::Start, 19 * kMillisecond, "1");
  sketch.flow("gpu", Kind::End, 20 * kMillisecond, "1");
  const auto trace = sketch.build();
  CHECK(arrows(*trace) == "late launch->late");
  CHECK(problems(*trace, ProblemKind::unmatched_flow) == 1);
}

TEST_CASE("bind_flows: flows with other ids than the correlation ids add no second arrows") {
  TraceSketch sketch = launch_and_kernel();
  sketch.slice("cpu", 60, 5, "call").correlated(Kind::Start, 7).numbered_flow("cpu", Kind::Start, 60, 900);
  sketch.slice("gpu", 90, 5, "k").correlated(Kind::End, 7).numbered_flow("gpu", Kind::End, 90, 900);
  const auto trace = sketch.build();
  CHECK(arrows(*trace) == "call->k");
  CHECK(problems(*trace, ProblemKind::unmatched_flow) == 0);
}

TEST_CASE("bind_flows: programs that call each other keep their arrows although they reuse ids") {
  TraceSketch sketch;
  for (const char* name : {"a", "b"}) {
    LaneSpec spec;
    spec.path = {{"file"}, {std::string("process ") + name}, {"thread"}};
    sketch.lane(name, spec);
  }
  sketch.slice("a", 10, 5, "ask").flow("a", Kind::Start, 11, "1").slice("b", 20, 5, "answer").flow("b", Kind::End, 21, "1");
  sketch.slice("b", 30, 5, "ask back").flow("b", Kind::Start, 31, "1").slice("a", 40, 5, "done").flow("a", Kind::End, 41, "1");
  CHECK(arrows(*sketch.build()) == "ask->answer, ask back->done");
}

TEST_CASE("bind_flows: a process with arrows of its own is not taken for a program that launched a GPU's work") {
  TraceSketch sketch;
  for (const char* name : {"cpu a", "cpu b", "gpu a", "gpu b", "loader"}) {
    LaneSpec spec;
    spec.path = {{"file"}, {name}, {"lane"}};
    sketch.lane(name, spec);
  }
  const auto launch = [&](const std::string& program, std::uint64_t id, Ns call) {
    sketch.slice("cpu " + program, call, 5, program + " call").correlated(Kind::Start, id);
    sketch.slice("gpu " + program, call + 40 * kMicrosecond, 5, program + " work").correlated(Kind::End, id);
  };
  // Only program a has all ids of its GPU. The work of the other GPU could belong to either, but only program b is left.
  for (std::uint64_t id = 1; id <= 20; ++id) {
    const Ns now = static_cast<Ns>(id) * 100 * kMicrosecond;
    launch("a", id, now);
    if (id <= 4) launch("b", id, now + 10 * kMicrosecond);
  }
  sketch.slice("loader", 10, 5, "read").slice("loader", 20, 5, "collate");
  sketch.flow("loader", Kind::Start, 11, "x").flow("loader", Kind::End, 21, "x");
  const auto trace = sketch.build();
  CHECK(problems(*trace, ProblemKind::doubtful_launch) == 0);
  std::map<std::string, int> count;
  for (const Flow& flow : trace->flows) {
    const auto name = [&](SliceId id) { return std::string(trace->labels.name(trace->slices.label[idx(id)])); };
    ++count[name(flow.from) + "->" + name(flow.to)];
  }
  CHECK(count == std::map<std::string, int>{{"a call->a work", 20}, {"b call->b work", 4}, {"read->collate", 1}});
}

TEST_CASE("bind_flows: programs that were merged into one file have separate correlation ids") {
  std::size_t found = 0, all = 0;
  for (const std::uint64_t seed : seeds(50)) {
    CAPTURE(seed);
    Random random(seed);
    TraceSketch sketch;
    struct Event {
      std::string track, name;
      Ns begin, duration;
      Kind kind;
      std::uint64_t id;
    };
    std::vector<Event> events;
    const int ranks = 3, launches = 30;
    for (int rank = 0; rank < ranks; ++rank) {
      const std::string cpu = "cpu " + std::to_string(rank), gpu = "gpu " + std::to_string(rank);
      for (const std::string& track : {cpu, gpu}) {
        LaneSpec spec;
        spec.path = {{"file"}, {track}, {"lane"}};
        sketch.lane(track, spec);
      }
      Ns now = random.in(0, 50) * kMicrosecond, free = 0;
      for (int i = 1; i <= launches; ++i) {
        now += random.in(10, 400) * kMicrosecond;
        const std::string name = std::to_string(rank) + "." + std::to_string(i);
        const auto id = static_cast<std::uint64_t>(i);
        if (random.chance(0.9)) events.push_back({cpu, "call " + name, now, 5, Kind::Start, id});
        if (random.chance(0.2)) continue;
        free = std::max(free, now + random.in(5, 40) * kMicrosecond);
        events.push_back({gpu, "work " + name, free, 8000, Kind::End, id});
        free += 10 * kMicrosecond;
      }
    }
    for (std::size_t i = events.size(); i > 1; --i) std::swap(events[i - 1], events[random.next() % i]);
    for (const Event& e : events) sketch.slice(e.track, e.begin, e.duration, e.name).correlated(e.kind, e.id);
    const auto trace = sketch.build();
    std::size_t both = 0;
    for (const Event& a : events) {
      for (const Event& b : events) both += a.kind == Kind::Start && b.kind == Kind::End && a.name.substr(5) == b.name.substr(5);
    }
    found += trace->flows.size();
    all += both;
    CHECK(trace->flows.size() <= both);
    if (problems(*trace, ProblemKind::unmatched_flow) == 0) CHECK(trace->flows.size() == both);
    for (const Flow& flow : trace->flows) {
      const auto name = [&](SliceId id) { return trace->labels.name(trace->slices.label[idx(id)]).substr(5); };
      CHECK(name(flow.from) == name(flow.to));
    }
  }
  CHECK(100 * found >= 98 * all);  // the others are ambiguous
}

// Several calls have one id. The work belongs to the last call before it; if there is none, to the first call. Calls that a flow
// event names are preferred to all others.
TEST_CASE("bind_flows: of many calls with one id, the one that a flow event names comes first, then the latest before the work") {
  std::vector<Lane> lanes(2);
  lanes[1].kind = LaneKind::Stream;
  for (const std::uint64_t seed : seeds(200)) {
    CAPTURE(seed);
    Random random(seed);
    const double part_named = random.chance(0.3) ? 0 : 0.3;
    std::vector<PlacedFlowPoint> points;
    std::vector<std::uint32_t> calls;
    const auto add = [&](Kind kind, std::size_t lane, std::uint32_t key) {
      const ItemRef ref(SourceId{0}, 0, points.size());
      points.push_back({kind, Bind::Correlation, id_at<LaneId>(lane), key, 7, random.in(0, 40), ref});
    };
    for (auto n = static_cast<std::uint32_t>(random.in(1, 12)); n > 0; --n) {
      calls.push_back(static_cast<std::uint32_t>(points.size()));
      add(Kind::Start, 0, random.chance(part_named) ? n : kNoKey);
      if (random.chance(0.7)) add(Kind::End, 1, kNoKey);
    }
    std::ranges::stable_sort(calls, {}, [&](std::uint32_t call) { return points[call].time; });
    const auto expected = [&](const PlacedFlowPoint& work) {
      std::optional<std::uint32_t> best;
      for (const std::uint32_t call : calls) {
        const bool named = points[call].key != kNoKey, best_named = best && points[*best].key != kNoKey;
        if (!best || (named != best_named ? named : points[call].time <= work.time)) best = call;
      }
      return *best;
    };
    const FlowLinks found = link_flows(points, lanes, test_pool());
    CHECK(found.links.size() == points.size() - calls.size());
    for (const FlowLinks::Link& link : found.links) CHECK(link.from == expected(points[link.to]));
  }
}
