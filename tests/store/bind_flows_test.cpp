#include "core/store/bind_flows.h"

#include <doctest/doctest.h>

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

TEST_CASE("bind_flows: next binds to the next slice to begin") {
  TraceSketch sketch = launch_and_kernel();
  sketch.flow("cpu", Kind::Start, 15, "1").flow("gpu", Kind::End, 40, "1", Bind::Next);
  CHECK(arrows(*sketch.build()) == "launch->kernel");
}

TEST_CASE("bind_flows: enclosing takes a slice that ends there when nothing else is around") {
  TraceSketch sketch = launch_and_kernel();
  sketch.slice("gpu", 120, 30, "late");
  sketch.flow("cpu", Kind::Start, 100, "1").flow("gpu", Kind::End, 150, "1");
  CHECK(arrows(*sketch.build()) == "step->late");
}

TEST_CASE("bind_flows: at the border of two slices the beginning one wins") {
  TraceSketch sketch = launch_and_kernel();
  sketch.slice("gpu", 80, 10, "second");
  sketch.flow("cpu", Kind::Start, 15, "1").flow("gpu", Kind::End, 80, "1");
  CHECK(arrows(*sketch.build()) == "launch->second");
}

TEST_CASE("bind_flows: a record's own slice") {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest);
  sketch.slice("cpu", 0, 100, "outer").slice("cpu", 0, 10, "inner").record_flow("cpu", Kind::Start, "1");
  sketch.slice("cpu", 50, 10, "other").record_flow("cpu", Kind::End, "1");
  CHECK(arrows(*sketch.build()) == "inner->other");
}

TEST_CASE("bind_flows: steps chain, several ends leave from one start") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  for (const char* name : {"a", "b", "c", "d", "e"}) sketch.slice("t", 10 * (name[0] - 'a'), 10, name);
  sketch.flow("t", Kind::Start, 1, "x").flow("t", Kind::Step, 11, "x").flow("t", Kind::End, 21, "x");
  sketch.flow("t", Kind::Start, 1, "y").flow("t", Kind::End, 31, "y").flow("t", Kind::End, 41, "y");
  CHECK(arrows(*sketch.build()) == "a->b, a->d, a->e, b->c");
}

TEST_CASE("bind_flows: what has no other end, and what meets no slice, is counted") {
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

TEST_CASE("bind_flows: flows_by_end is sorted by end") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    REQUIRE(trace->flows_by_end.size() == trace->flows.size());
    for (std::size_t i = 1; i < trace->flows.size(); ++i) {
      const Flow &a = trace->flows[trace->flows_by_end[i - 1]], &b = trace->flows[trace->flows_by_end[i]];
      REQUIRE(std::pair(a.to, a.from) <= std::pair(b.to, b.from));
      REQUIRE(std::pair(trace->flows[i - 1].from, trace->flows[i - 1].to) <=
              std::pair(trace->flows[i].from, trace->flows[i].to));
    }
  }
}

// A lane's points are bound in parts of 65,536. Each slice of "cpu" has a call below it, at whose end the point is; around
// everything lies one slice.
TEST_CASE("bind_flows: more points in a lane than are bound at a time") {
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
