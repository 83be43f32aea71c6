#include "core/query/range_stats.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/gen_trace.h"
#include "tests/support/oracles.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("percentile: results equal those of numpy") {
  // numpy.percentile([1, 2, 3, 4], [50, 90, 95, 99]) = 2.5, 3.7, 3.85, 3.97
  const std::vector<Ns> four = {1, 2, 3, 4};
  CHECK(percentile(four, 0.50) == 2.5);
  CHECK(percentile(four, 0.90) == doctest::Approx(3.7).epsilon(1e-15));
  CHECK(percentile(four, 0.95) == doctest::Approx(3.85).epsilon(1e-15));
  CHECK(percentile(four, 0.99) == doctest::Approx(3.97).epsilon(1e-15));
  CHECK(percentile({7}, 0.99) == 7);
}

TEST_CASE("range_stats: statistics of a small trace equal those computed by hand") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 100, "outer")
      .slice("t", 10, 20, "inner")
      .slice("t", 40, 40, "inner")
      .instant("t", 5, "inner");
  const auto trace = sketch.build();
  const RangeStats stats = range_stats(*trace, {}, test_pool());
  REQUIRE(stats.labels.size() == 2);
  CHECK(trace->labels.name(stats.labels[0].label) == "outer");
  CHECK(stats.labels[0].self == 40);
  const LabelStats& inner = stats.labels[1];
  CHECK(inner.count == 2);
  CHECK(inner.total == 60);
  CHECK(inner.min == 20);
  CHECK(inner.max == 40);
  CHECK(inner.mean == 30);
  CHECK(inner.p50 == 30);
  CHECK(inner.p90 == 38);
  CHECK(inner.stddev == doctest::Approx(14.142135623730951));  // statistics.stdev([20, 40])
  CHECK(trace->begin_of(inner.longest) == 40);
  CHECK(stats.count == 3);
}

TEST_CASE("range_stats: names that differ only in a number after their category are counted together") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  Ns at = 0;
  const auto add = [&](const char* name, const char* category, Ns duration) {
    sketch.slice("t", at, duration, name, {}, category);
    at += 1000;
  };
  add("forward_0", "forward", 10);
  add("forward_12", "forward", 30);
  add("step 3", "step", 100);
  add("forward_x", "forward", 1);
  add("forward_", "forward", 2);
  add("forward_1", "other", 3);
  add("forward", "forward", 4);
  const auto trace = sketch.build();
  const RangeStats stats = range_stats(*trace, {}, test_pool());
  std::vector<std::pair<std::string_view, std::uint64_t>> found;
  for (const LabelStats& s : stats.labels) found.emplace_back(counted_name(trace->labels, s.label), s.count);
  CHECK(found == decltype(found){{"step", 1}, {"forward", 2}, {"forward", 1}, {"forward_1", 1}, {"forward_", 1},
                                 {"forward_x", 1}});
  CHECK(stats.labels[1].total == 40);
  CHECK(stats.labels[1].p50 == 20);
  CHECK(stats.labels[1].max == 30);
}

TEST_CASE("range_stats: totals are clipped to the range, and lengths are those of whole slices") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", 0, 100, "a").slice("t", 90, 6, "child").slice("t", 100, 10, "b");
  sketch.slice("t", 120, 10, "c");
  const auto trace = sketch.build();
  const RangeStats stats = range_stats(*trace, {TimeRange{94, 105}, {}}, test_pool());
  REQUIRE(stats.labels.size() == 3);
  const LabelStats& a = stats.labels[0];
  CHECK(trace->labels.name(a.label) == "a");
  CHECK(a.count == 1);
  CHECK(a.total == 6);
  CHECK(a.self == 4);  // without the two nanoseconds of its child that are in the range
  CHECK(a.max == 100);
  CHECK(a.mean == 100);
  CHECK(a.p50 == 100);
  CHECK(stats.total == 6 + 5 + 2);  // no more than the range, except for the child
  CHECK(stats.self == 11);
  CHECK(stats.cut == 3);
}

TEST_CASE("range_stats: rows with the same name are distinguished by their category") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 9, "ProfilerStep#6", {}, "user_annotation").slice("t", 10, 5, "gemm", {}, "kernel");
  sketch.slice("t", 20, 9, "ProfilerStep#6", {}, "gpu_user_annotation");
  const auto trace = sketch.build();
  const auto names = shown_names(trace->labels, range_stats(*trace, {}, test_pool()));
  CHECK(names == std::vector<std::string>{"ProfilerStep#6 [gpu_user_annotation]", "ProfilerStep#6 [user_annotation]", "gemm"});
}

TEST_CASE("range_stats: a group stands for its lanes, and no lane counts twice") {
  TraceSketch sketch;
  sketch.lane("a", RowRule::Nest).lane("b", RowRule::Nest);
  sketch.slice("a", 0, 10, "x").slice("b", 0, 10, "x");
  const auto trace = sketch.build();
  CHECK(range_stats(*trace, {{}, {LaneId{0}, LaneId{1}}}, test_pool()).count == 2);
  CHECK(range_stats(*trace, {{}, {LaneId{1}}}, test_pool()).count == 1);
}

TEST_CASE("range_stats: unfinished slices are counted but not timed") {
  TraceSketch sketch;
  sketch.lane("a", RowRule::Nest).lane("b", RowRule::Nest);
  sketch.slice("a", 0, kOpenEnd, "task").slice("b", 10, 5, "task").slice("b", 30, 7, "task").slice("b", 60, 900, "main");
  sketch.slice("a", 20, kOpenEnd, "lost").slice("a", 30, kOpenEnd, "lost");
  const auto trace = sketch.build();
  const RangeStats stats = range_stats(*trace, {}, test_pool());
  REQUIRE(stats.labels.size() == 3);
  CHECK(stats.count == 6);
  CHECK(stats.unfinished == 3);
  CHECK(stats.total == 912);
  const LabelStats& task = stats.labels[1];
  CHECK(trace->labels.name(task.label) == "task");
  CHECK(counted_text(task) == "3 (1 unfinished)");
  CHECK(task.total == 12);
  CHECK(task.self == 12);
  CHECK(task.min == 5);
  CHECK(task.max == 7);
  CHECK(task.mean == 6);
  CHECK(trace->duration_of(task.longest) == 7);
  const LabelStats& lost = stats.labels[2];
  CHECK(lost.count == 2);
  CHECK(lost.finished() == 0);
  CHECK(lost.total == 0);
  CHECK(lost.max == 0);
  CHECK(trace->begin_of(lost.longest) == 20);
}

TEST_CASE("busy_union: lanes that are busy at the same time count once") {
  TraceSketch sketch;
  sketch.lane("a", RowRule::Nest).lane("b", RowRule::Nest);
  sketch.slice("a", 0, 100).slice("b", 50, 100).slice("b", 300, 10);
  const Snapshot snapshot = snapshot_of(sketch.build());
  CHECK(busy_union(snapshot, {}) == 160);
  CHECK(busy_union(snapshot, {TimeRange{90, 305}, {}}) == 65);
  CHECK(busy_union(snapshot, {TimeRange{200, 250}, {}}) == 0);
}

TEST_CASE("range_stats, busy_union: results equal those of a linear scan") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    CAPTURE(name(shape_of(seed)));
    const Snapshot snapshot = snapshot_of(gen_trace(seed, shape_of(seed)).build());
    const Trace& trace = *snapshot.trace;
    Random random(seed);
    StatsQuery query;
    if (random.chance(0.7)) {
      const Ns begin = random.in(0, trace.extent.end);
      query.range = TimeRange{begin, random.in(begin, trace.extent.end)};
    }
    for (auto n = random.in(0, 2); n > 0 && !trace.lanes.empty(); --n) {
      query.lanes.push_back(id_at<LaneId>(random.next() % trace.lanes.size()));
    }
    if (random.chance(0.5)) {
      for (std::size_t l = 0; l < trace.labels.size(); ++l) query.labels.push_back(random.chance(0.6));
    }
    const auto expected = oracle::range_stats(trace, query);
    query.unions = query.busy = true;
    StatsMemory memory;  // the default, or very little
    const auto few = [&] { return static_cast<std::size_t>(random.in(1, 40)); };
    if (random.chance(0.6)) memory = {few(), 300, few()};
    ThreadPool threads(static_cast<unsigned>(random.in(1, 4)));
    StatsProgress progress;
    const RangeStats found = range_stats(trace, query, threads, {}, memory, &progress);
    CHECK(progress.part() == 1);
    CHECK(found.held.lengths <= memory.lengths);
    CHECK(found.held.bins <= std::max<std::size_t>(memory.bins, 5 * 65));
    CHECK(found.held.spans <= std::max(memory.spans, 4 * trace.rows.size()));
    REQUIRE(found.labels.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const LabelStats &a = found.labels[i], &b = expected[i];
      REQUIRE(a.label == b.label);
      REQUIRE(a.count == b.count);
      REQUIRE(a.unfinished == b.unfinished);
      REQUIRE(a.total == b.total);
      REQUIRE(a.self == b.self);
      REQUIRE(a.min == b.min);
      REQUIRE(a.max == b.max);
      REQUIRE(a.mean == b.mean);
      for (const LengthQuantile& quantile : kLengthQuantiles) REQUIRE(a.*quantile.member == b.*quantile.member);
      REQUIRE(a.stddev == doctest::Approx(b.stddev).epsilon(1e-9));
      REQUIRE(a.longest == b.longest);
      REQUIRE(a.busy == b.busy);
    }

    std::vector<TimeRange> ranges, counted;
    const TimeRange window = query.range.value_or(TimeRange{0, trace.extent.end});
    std::vector<LaneId> lanes = query.lanes;
    if (lanes.empty()) lanes.push_back(LaneId{0});
    for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
      const bool in_set = query.lanes.empty() || std::any_of(lanes.begin(), lanes.end(), [&](LaneId lane) {
                            return l >= idx(lane) && l < idx(trace.lane(lane).subtree_end);
                          });
      if (!in_set) continue;
      const auto slices = oracle::slices_of(trace, trace.lanes[l]);
      for (std::size_t i = 0; i < slices.ids.size(); ++i) {
        const TimeRange part{std::max(slices.begin[i], window.begin),
                             std::min(slices.begin[i] + slices.duration[i], window.end)};
        if (!part.empty()) ranges.push_back(part);
        const bool counts = query.labels.empty() || query.labels[idx(trace.label_of(slices.ids[i]))];
        if (!part.empty() && counts && !trace.ref_of(slices.ids[i]).is(kUnfinished)) counted.push_back(part);
      }
    }
    REQUIRE(busy_time(snapshot, query, found) == oracle::union_length(counted));
    REQUIRE(busy_union(snapshot, query) == oracle::union_length(ranges));
    REQUIRE(busy_union(snapshot, query, {}, static_cast<std::size_t>(random.in(1, 50))) == oracle::union_length(ranges));
  }
}

TEST_CASE("range_stats: the standard deviation is exact for long, nearly equal lengths") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  constexpr Ns kLong = Ns{1} << 54;  // exact as a double, unlike the next number
  for (Ns i = 0; i < 100; ++i) sketch.slice("t", i * (kLong + 10), kLong + i % 2);
  const auto trace = sketch.build();
  const RangeStats stats = range_stats(*trace, {}, test_pool());
  REQUIRE(stats.labels.size() == 1);
  CHECK(stats.labels[0].stddev == doctest::Approx(std::sqrt(25.0 / 99)).epsilon(1e-15));
}

TEST_SUITE("concurrent") {
  TEST_CASE("range_stats: a stop request cancels the query") {
    std::stop_source stop;
    stop.request_stop();
    const auto trace = gen_trace(0, Shape::Nested).build();
    for (const bool unions : {false, true}) {
      StatsQuery query;
      query.unions = unions;
      CHECK(range_stats(*trace, query, test_pool(), stop.get_token()).cancelled);
    }
  }
}
