#include "core/store/trace/trace_builder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

#include "tests/support/gen_trace.h"
#include "tests/support/oracles.h"

using namespace tv;
using namespace tv::test;

namespace {

// Everything about a slice, independent of its place.
using Fact = std::tuple<std::string, Ns, Ns, std::string, std::uint64_t>;

std::vector<Fact> facts_of(const Trace& trace) {
  std::vector<Fact> facts;
  for (const Row& row : trace.rows) {
    if (row.kind != RowKind::Slices) continue;
    const RowSlices slices = trace.slices_of(row);
    for (std::size_t i = 0; i < slices.size(); ++i) {
      facts.emplace_back(trace.lane(row.lane).name, slices.begin(i) + trace.origin_ns, slices.duration(i),
                         trace.labels.name(slices.label(i)), trace.slices.ref[idx(slices.id(i))].offset());
    }
  }
  std::sort(facts.begin(), facts.end());
  return facts;
}

std::vector<Fact> facts_of(const std::vector<RawSlice>& raw) {
  std::vector<Fact> facts;
  for (const RawSlice& slice : raw) {
    facts.emplace_back(slice.track, slice.begin, slice.duration, slice.name, slice.offset);
  }
  std::sort(facts.begin(), facts.end());
  return facts;
}

bool same(const Trace& a, const Trace& b) {
  return std::ranges::equal(a.slices.begin, b.slices.begin) && std::ranges::equal(a.slices.duration, b.slices.duration) &&
         std::ranges::equal(a.slices.self, b.slices.self) && std::ranges::equal(a.slices.label, b.slices.label) && std::ranges::equal(a.slices.ref, b.slices.ref) &&
         a.rows.size() == b.rows.size() && a.flows == b.flows;
}

}  // namespace

TEST_CASE("trace_builder: no sources, or a source without events, give an empty trace") {
  CHECK(build_trace({}, test_pool())->slices.size() == 0);
  const auto trace = TraceSketch().build();
  CHECK(trace->sources.size() == 1);
  CHECK(trace->extent == TimeRange{0, 0});
  CHECK(check_invariants(*trace) == "");
}

TEST_CASE("trace_builder: times are relative to the earliest event") {
  TraceSketch sketch;
  sketch.slice("t", 5'000, 10).instant("t", 4'000);
  const auto trace = sketch.build();
  CHECK(trace->origin_ns == 4'000);
  CHECK(trace->slices.begin[0] == 1'000);
  CHECK(trace->extent == TimeRange{0, 1'010});
  CHECK(trace->instant_count == 1);
  REQUIRE(trace->rows.size() == 2);
  CHECK(trace->rows[1].kind == RowKind::Instants);
  CHECK(trace->slices.ref[1].is(kInstant));
}

TEST_CASE("trace_builder: an unclosed slice ends with its source and is marked unfinished") {
  TraceSketch sketch;
  sketch.half("t", HalfEvent::Kind::Begin, 10, "open").slice("t", 20, 80, "last");
  const auto trace = sketch.build();
  CHECK(trace->slices.duration[0] == 90);
  CHECK(trace->slices.ref[0].is(kUnfinished));
  CHECK(trace->sources[0].problems.count(ProblemKind::unclosed_slice) == 1);
}

TEST_CASE("trace_builder: a complete event without duration extends to the end of its source") {
  TraceSketch sketch;
  sketch.slice("t", 10, kOpenEnd, "open").slice("u", 20, 80, "last");
  const auto trace = sketch.build();
  CHECK(trace->slices.duration[0] == 90);
}

TEST_CASE("trace_builder: equal lane paths of two sources are one lane") {
  TraceSketch a, b;
  a.lane("t", RowRule::Nest).slice("t", 0, 10, "x");
  b.lane("t", RowRule::Nest).slice("t", 20, 10, "x");
  const auto trace = build_trace({a.view(), b.view()}, test_pool());
  REQUIRE(trace->lanes.size() == 2);  // the process and the thread
  CHECK(trace->lanes[1].slices == 2);
  CHECK(trace->labels.size() == 1);
  CHECK(idx(trace->slices.ref[1].source()) == 1);
}

TEST_CASE("trace_builder: unnamed tracks get a lane below the file's path") {
  TraceSketch sketch;
  sketch.slice("nameless", 0, 1);
  CHECK(sketch.build()->path_of(id_at<LaneId>(1)) == std::vector<std::string>{"sketch.json", "nameless"});
}

TEST_CASE("trace_builder: counters are sorted and keep their extremes") {
  TraceSketch sketch;
  sketch.sample("c", 20, 5).sample("c", 10, -3).sample("c", 10, 4);
  const auto trace = sketch.build();
  REQUIRE(trace->counters.size() == 1);
  CHECK(std::ranges::equal(trace->counters[0].time, std::vector<Ns>{0, 0, 10}));
  CHECK(std::ranges::equal(trace->counters[0].value, std::vector<double>{-3, 4, 5}));  // file order at equal times
  CHECK(trace->counters[0].min == -3);
  CHECK(trace->counters[0].max == 5);
  CHECK(trace->lanes[1].counter == 0);
}

TEST_CASE("trace_builder: overlaps are counted with an example") {
  TraceSketch sketch;
  sketch.lane("s", RowRule::Nest, LaneKind::Stream).slice("s", 0, 100, "first").slice("s", 50, 100, "second");
  const auto trace = sketch.build();
  const ProblemLog& problems = trace->sources[0].problems;
  REQUIRE(problems.count(ProblemKind::overlapping_slices) == 1);
  CHECK(problems.entries()[0].examples[0].excerpt == "s: second");
  CHECK(problems.lost() == 0);
}

TEST_CASE("trace_builder: no slice is lost, rows do not overlap, and sums of lanes are right") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    CAPTURE(name(shape_of(seed)));
    const TraceSketch sketch = gen_trace(seed, shape_of(seed));
    const auto trace = sketch.build();
    REQUIRE(check_invariants(*trace) == "");
    if (shape_of(seed) != Shape::Unclosed) REQUIRE(facts_of(*trace) == facts_of(sketch.raw));
    for (const Lane& lane : trace->lanes) {
      const auto slices = oracle::slices_of(*trace, lane);
      std::vector<TimeRange> ranges;
      for (std::size_t i = 0; i < slices.ids.size(); ++i) {
        const TimeRange range{slices.begin[i], slices.begin[i] + slices.duration[i]};
        REQUIRE(lane.extent.begin <= range.begin);
        REQUIRE(lane.extent.end >= range.end);
        if (!trace->slices.ref[idx(slices.ids[i])].is(kUnfinished)) ranges.push_back(range);
      }
      REQUIRE(lane.slices == slices.ids.size());
      REQUIRE(lane.busy == oracle::union_length(ranges));
    }
    for (std::size_t i = 0; i < trace->slices.size(); ++i) {
      REQUIRE(trace->slices.self[i] >= 0);
      REQUIRE(trace->slices.self[i] <= trace->slices.duration[i]);
      const Row& row = trace->row(trace->row_of(id_at<SliceId>(i)));
      REQUIRE((i >= row.first && i < std::size_t{row.first} + row.count));
    }
  }
}

TEST_SUITE("concurrent") {
  // Large lanes are moved to their rows in parts of 262,144 slices, by all threads. The file has them backwards.
  TEST_CASE("trace_builder: a lane larger than what is moved at a time is built correctly") {
    constexpr Ns kCount = 300'000;
    TraceSketch sketch;
    sketch.lane("t", RowRule::Nest);
    for (Ns i = kCount; i-- > 0;) sketch.slice("t", i * 100 + 10, 30, "inner").slice("t", i * 100, 80 + i % 7, "outer");
    const auto trace = sketch.build();
    REQUIRE(check_invariants(*trace) == "");
    REQUIRE(trace->rows.size() == 2);
    std::size_t wrong = 0;
    for (const Row& row : trace->rows) {
      const bool outer = row.depth == 0;
      const RowSlices slices = trace->slices_of(row);
      REQUIRE(slices.size() == static_cast<std::size_t>(kCount));
      for (Ns i = 0; i < kCount; ++i) {
        const auto at = static_cast<std::size_t>(i), id = idx(slices.id(at));
        const Ns duration = outer ? 80 + i % 7 : 30, self = outer ? duration - 30 : 30;
        wrong += slices.begin(at) != i * 100 + (outer ? 0 : 10) || slices.duration(at) != duration ? 1 : 0;
        wrong += trace->slices.self[id] != self ? 1 : 0;
        wrong += trace->labels.name(slices.label(at)) != (outer ? "outer" : "inner") ? 1 : 0;
        // Offsets count up in the order of the file, from 1 for the last inner one.
        const auto offset = static_cast<std::uint64_t>(2 * (kCount - 1 - i) + (outer ? 2 : 1));
        wrong += trace->slices.ref[id].offset() != offset ? 1 : 0;
      }
    }
    CHECK(wrong == 0);
  }

  TEST_CASE("trace_builder: the result does not depend on the number of threads") {
    ThreadPool one(1), many(5);
    for (const std::uint64_t seed : seeds(18)) {
      CAPTURE(seed);
      const SourceView view = gen_trace(seed, shape_of(seed)).view();
      REQUIRE(same(*build_trace({view}, one), *build_trace({view}, many)));
    }
  }

  TEST_CASE("trace_builder: a stop request gives no trace") {
    std::stop_source stop;
    stop.request_stop();
    CHECK(build_trace({gen_trace(1, Shape::Nested).view()}, test_pool(), stop.get_token()) == nullptr);
  }
}
