#include "core/index/trace_index.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/store/segments/compose.h"
#include "tests/support/gen_trace.h"
#include "tests/support/oracles.h"

using namespace tv;
using namespace tv::test;

namespace {

std::vector<TimeRange> ranges_of(const RowSlices& row) {
  std::vector<TimeRange> out;
  for (std::size_t i = 0; i < row.size(); ++i) out.push_back({row.begin(i), row.end(i)});
  return out;
}

// Utilisation of one bucket, 0..1, by adding up the slices in it.
double utilisation(const Snapshot& snapshot, LaneId lane, double from, double to) {
  const std::size_t slots = snapshot.index->union_rows(lane);
  double busy = 0;
  for (std::size_t s = 0; s < slots; ++s) {
    const RowSlices row = snapshot.index->union_row(*snapshot.trace, lane, s).slices;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto begin = static_cast<double>(row.begin(i)), end = static_cast<double>(row.end(i));
      busy += std::max(std::min(end, to) - std::max(begin, from), 0.0);
    }
  }
  return busy / (to - from) / static_cast<double>(slots);
}

}  // namespace

TEST_CASE("trace_index: the overview of an empty trace is empty") {
  const Snapshot snapshot = snapshot_of(TraceSketch().build());
  CHECK(snapshot.index->whole().busy[0] == 0);
}

TEST_CASE("trace_index: where all slices nest, the outermost row is the union row") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", 0, 100).slice("t", 10, 20).slice("t", 200, 5);
  const Snapshot snapshot = snapshot_of(sketch.build());
  const LaneId lane = id_at<LaneId>(1);
  REQUIRE(snapshot.index->union_rows(lane) == 1);
  CHECK(snapshot.index->union_rows(id_at<LaneId>(0)) == 0);
  CHECK(snapshot.index->union_row(*snapshot.trace, lane, 0).slices.own_begins().data() ==
        snapshot.trace->slices.begin.data());
}

TEST_CASE("trace_index: a partial overlap adds the part that sticks out, under its own label") {
  TraceSketch sketch;
  sketch.lane("s", RowRule::Nest).slice("s", 0, 100, "a").slice("s", 50, 100, "b").slice("s", 150, 10, "c");
  const Snapshot snapshot = snapshot_of(sketch.build());
  const RowSlices row = snapshot.index->union_row(*snapshot.trace, id_at<LaneId>(1), 0).slices;
  REQUIRE(row.size() == 3);
  CHECK(row.begin(1) == 100);
  CHECK(row.duration(1) == 50);
  CHECK(snapshot.trace->labels.name(row.label(1)) == "b");
}

TEST_CASE("trace_index: a zero-length slice stays only where nothing covers it") {
  TraceSketch sketch;
  sketch.lane("s", RowRule::Nest).slice("s", 0, 100, "a").slice("s", 50, 100, "b");
  sketch.slice("s", 120, 0, "covered").slice("s", 200, 0, "alone").slice("s", 300, 10, "c");
  const Snapshot snapshot = snapshot_of(sketch.build());
  const RowSlices row = snapshot.index->union_row(*snapshot.trace, id_at<LaneId>(1), 0).slices;
  std::string names;
  for (std::size_t i = 0; i < row.size(); ++i) names += std::string(snapshot.trace->labels.name(row.label(i))) + " ";
  CHECK(names == "a b alone c ");
}

TEST_CASE("overview: slices count only in the buckets they cover, and slices outside the range do not count") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", -500, 100, "before").slice("t", 100, 200, "within").slice("t", 2'000, 100, "after");
  const auto trace = sketch.build();
  OverviewBuilder builder({400 + 100, 400 + 100 + kOverviewBuckets});  // times count from the first begin
  builder.add_row({trace->slices_of(trace->row(RowId{0})), {}});
  const Overview overview = builder.finish(1);
  CHECK(overview.busy[0] == 0);
  CHECK(overview.busy[99] == 0);
  CHECK(overview.busy[100] == 255);
  CHECK(overview.busy[299] == 255);
  CHECK(overview.busy[300] == 0);
  CHECK(overview.busy[kOverviewBuckets - 1] == 0);
}

TEST_CASE("overview: a node with impossible times, as a damaged mapped file can have, counts where slices with such times do") {
  constexpr Ns kShift = 5;
  std::vector<Ns> begins(2 * kSlicesPerNode, INT64_MAX), durations(begins.size(), 1);
  const std::vector<LabelId> labels(begins.size());
  SegmentPlace placed{kShift};
  placed.earliest = 0;
  placed.reach = 100;
  const RowSlices row(begins, durations, labels, SegmentSlice{}, placed);
  REQUIRE(row.begin(0) == kShift);
  const std::vector<PyramidNode> nodes(2, PyramidNode{INT64_MAX, INT64_MAX, 8, 1, {}, {}});
  OverviewBuilder builder({0, kOverviewBuckets});
  builder.add_row({row, RowPyramid(nodes, row.size())});
  const Overview overview = builder.finish(1);
  for (std::size_t b = 0; b < kOverviewBuckets; ++b) CHECK((overview.busy[b] > 0) == (b == kShift));
}

TEST_CASE("overview: a slice over many buckets gives them its label rather than short ones in them") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Pack).slice("t", 0, kOverviewBuckets * 10, "long");
  for (Ns at = 2; at < static_cast<Ns>(kOverviewBuckets) * 10; at += 10) sketch.slice("t", at, 3, "short");
  const auto trace = sketch.build();
  REQUIRE(trace->rows.size() == 2);
  OverviewBuilder builder({0, kOverviewBuckets * 10});
  for (const Row& row : trace->rows) builder.add_row({trace->slices_of(row), {}});
  const Overview overview = builder.finish(2);
  for (const std::size_t b : {std::size_t{0}, std::size_t{1}, kOverviewBuckets / 2, kOverviewBuckets - 1}) {
    CAPTURE(b);
    CHECK(trace->labels.name(overview.label[b]) == "long");
  }
}

TEST_CASE("trace_index: a zero-length slice counts as 1 of 255 in its bucket") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", 0, 0).slice("t", 1'000'000'000, 0);
  const Snapshot snapshot = snapshot_of(sketch.build());
  const Overview& whole = snapshot.index->whole();
  CHECK(whole.busy[0] == 1);
  CHECK(whole.busy[1] == 0);
  CHECK(whole.busy[kOverviewBuckets - 1] == 1);
}

TEST_CASE("trace_index: the label of a bucket is the one with most of its time") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  // One bucket is 1000 ns: 400 ns of one long slice against 600 ns of many short ones.
  sketch.slice("t", 0, 400, "long");
  for (int i = 0; i < 60; ++i) sketch.slice("t", 400 + i * 10, 10, "short");
  sketch.slice("t", 1'023'999, 1, "end");
  const Snapshot snapshot = snapshot_of(sketch.build());
  CHECK(snapshot.trace->labels.name(snapshot.index->whole().label[0]) == "short");
}

TEST_CASE("trace_index: union rows are the union of their slots, and overviews show the utilisation") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    CAPTURE(name(shape_of(seed)));
    const Snapshot snapshot = snapshot_of(gen_trace(seed, shape_of(seed)).build());
    const Trace& trace = *snapshot.trace;
    const double bucket = static_cast<double>(trace.shown().length()) / kOverviewBuckets;
    for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
      const LaneId lane = id_at<LaneId>(l);
      std::vector<TimeRange> finished;  // the length of others is unknown
      for (std::size_t s = 0; s < snapshot.index->union_rows(lane); ++s) {
        const IndexedRow row = snapshot.index->union_row(trace, lane, s);
        std::vector<TimeRange> own = ranges_of(row.slices);
        for (std::size_t i = 1; i < own.size(); ++i) REQUIRE(own[i - 1].end <= own[i].begin);
        REQUIRE(row.pyramid.slices() == own.size());
        const auto slot = oracle::slices_of(trace, trace.lane(lane), static_cast<std::uint32_t>(s));
        std::vector<TimeRange> expected;
        for (std::size_t i = 0; i < slot.ids.size(); ++i) {
          expected.push_back({slot.begin[i], slot.begin[i] + slot.duration[i]});
          if (!trace.ref_of(slot.ids[i]).is(kUnfinished)) finished.push_back(expected.back());
        }
        Ns sum = 0;
        for (const TimeRange& piece : own) sum += piece.length();
        REQUIRE(sum == oracle::union_length(expected));
      }
      REQUIRE(oracle::union_length(finished) == trace.lane(lane).busy);
      const std::size_t slots = snapshot.index->union_rows(lane);
      if (slots == 0 || l % 5 != 0) continue;
      OverviewBuilder sum(trace.shown()), from_slices(trace.shown());
      for (std::size_t s = 0; s < slots; ++s) {
        const IndexedRow row = snapshot.index->union_row(trace, lane, s);
        sum.add_row(row);
        from_slices.add_row({row.slices, {}});
      }
      const Overview overview = from_slices.finish(slots), from_nodes = sum.finish(slots);
      if (const Overview* kept = snapshot.index->overview(lane)) CHECK(kept->busy == from_nodes.busy);
      // At each border of a bucket, at most a quarter of a node's length is on the wrong side.
      for (std::size_t b = 0; b < kOverviewBuckets; ++b) {
        REQUIRE(std::abs(overview.busy[b] - from_nodes.busy[b]) <= 255 * kWholeNode / 2 + 1);
      }
      for (std::size_t b = 0; b < kOverviewBuckets; b += 97) {
        const double from = static_cast<double>(trace.shown().begin) + static_cast<double>(b) * bucket;
        const double found = overview.busy[b] / 255.0;
        const double expected = utilisation(snapshot, lane, from, from + bucket);
        REQUIRE(std::abs(found - expected) <= 1.01 / 255);
      }
    }
  }
}

// Bursts with pauses between them, as of a thread that waits: the pauses stay empty, and nothing is lost.
TEST_CASE("overview: a long row built from its nodes alone is close to the exact one") {
  constexpr Ns kBucket = 80'000, kShort = 10;
  const TimeRange extent{0, kBucket * static_cast<Ns>(kOverviewBuckets)};
  std::vector<Ns> begins, durations;
  for (Ns burst = 0; burst < static_cast<Ns>(kOverviewBuckets); burst += 8) {
    for (Ns i = 0; i < 1'001; ++i) {
      begins.push_back(burst * kBucket + i * 100);
      durations.push_back(kShort);
    }
  }
  REQUIRE(begins.size() > kExactRow);
  const std::vector<LabelId> labels(begins.size(), id_at<LabelId>(1));
  const RowSlices row(begins, durations, labels, SegmentSlice{});
  std::vector<PyramidNode> nodes(pyramid_size(row.size()));
  build_row_pyramid(row, nodes);
  OverviewBuilder from_nodes(extent), from_slices(extent);
  from_nodes.add_row({row, RowPyramid(nodes, row.size())});
  from_slices.add_row({row, {}});
  const Overview found = from_nodes.finish(1), exact = from_slices.finish(1);
  int sum = 0, of_all = 0;
  for (std::size_t b = 0; b < kOverviewBuckets; ++b) {
    CAPTURE(b);
    CHECK((found.busy[b] > 0) == (exact.busy[b] > 0));
    REQUIRE(std::abs(found.busy[b] - exact.busy[b]) <= 2);
    sum += found.busy[b];
    of_all += exact.busy[b];
  }
  CHECK(std::abs(sum - of_all) <= of_all / 20);
}

TEST_CASE("trace_index: a group's overview is the mean over its lanes that have slices") {
  TraceSketch sketch;
  sketch.lane("a", RowRule::Nest).lane("b", RowRule::Nest).lane("c", RowRule::Nest, LaneKind::Counter);
  sketch.slice("a", 0, 1'024'000).slice("b", 0, 512'000).sample("c", 0, 1);
  const Snapshot snapshot = snapshot_of(sketch.build());
  REQUIRE(snapshot.index->overview(id_at<LaneId>(0)));
  const Overview& group = *snapshot.index->overview(id_at<LaneId>(0));
  CHECK(group.busy[0] == 255);
  CHECK(group.busy[1000] == 128);
  CHECK(snapshot.index->whole().busy[1000] == 128);
}

// More rows than may vote for every bucket they cover; their coverage counts nevertheless.
TEST_CASE("overview: thousands of long rows give the right coverage and labels") {
  constexpr Ns kBucket = 1'000;
  constexpr std::size_t kRows = kVotingRows + 1'000;
  const TimeRange extent{0, kBucket * static_cast<Ns>(kOverviewBuckets)};
  const LabelId early = id_at<LabelId>(1), late = id_at<LabelId>(2);
  OverviewBuilder sum(extent);
  // The first rows end in the middle of bucket 99, those that no longer vote go on to the middle of bucket 900.
  for (std::size_t r = 0; r < kRows; ++r) {
    const bool votes = r < kVotingRows;
    const Ns begin = 10 * kBucket, duration = (votes ? 89 : 890) * kBucket + kBucket / 2;
    const LabelId label = votes ? early : late;
    sum.add_row({{std::span(&begin, 1), std::span(&duration, 1), std::span(&label, 1), SegmentSlice{}}, {}});
  }
  const Overview overview = sum.finish(kRows);
  const auto share = [&](double rows) { return static_cast<int>(std::lround(rows / kRows * 255)); };
  CHECK(overview.busy[9] == 0);
  CHECK(overview.busy[10] == 255);
  CHECK(overview.label[50] == early);
  CHECK(overview.busy[98] == 255);
  CHECK(overview.busy[99] == share(kVotingRows / 2.0 + 1'000));
  CHECK(overview.busy[100] == share(1'000));
  CHECK(overview.busy[899] == share(1'000));
  CHECK(overview.busy[900] == share(500));
  CHECK(overview.label[900] == late);
  CHECK(overview.busy[901] == 0);
}

TEST_CASE("trace_index: a group of lanes with few slices has an overview, and its lanes do not") {
  TraceSketch sketch;
  sketch.lane("a", RowRule::Nest).lane("b", RowRule::Nest);
  sketch.slice("a", 0, 512'000).slice("b", 0, 1'024'000);
  const Snapshot few = snapshot_of(sketch.build());
  CHECK(few.index->overview(id_at<LaneId>(0)) != nullptr);
  CHECK(few.index->overview(id_at<LaneId>(1)) == nullptr);
  CHECK(few.index->overview(id_at<LaneId>(0))->busy[100] == 255);
  CHECK(few.index->overview(id_at<LaneId>(0))->busy[1000] == 128);
  for (Ns i = 0; i < 2'000; ++i) sketch.slice("a", 512'000 + i * 200, 100);
  const Snapshot many = snapshot_of(sketch.build());
  REQUIRE(many.index->overview(id_at<LaneId>(1)) != nullptr);
  CHECK(many.index->overview(id_at<LaneId>(1))->busy[700] == 128);
  CHECK(many.index->overview(id_at<LaneId>(0))->busy[700] == 192);  // of 128 and 255
}

TEST_CASE("trace_index: the index of a known segment is reused, wherever a view places it") {
  for (const std::uint64_t seed : seeds(9)) {
    CAPTURE(seed);
    const auto first = gen_trace(seed, shape_of(seed)).build(), second = gen_trace(seed + 1, shape_of(seed + 1)).build();
    const Snapshot alone = snapshot_of(second);
    const auto view = compose({first, second});
    REQUIRE(view);
    const Trace& trace = *view.value();
    const auto known = alone.index->segments().front();
    const auto index = build_index(trace, test_pool(), {}, {{second, known}});
    REQUIRE(index->segments().size() == 2);
    CHECK(index->segments()[1] == known);
    const auto anew = build_index(trace, test_pool());
    CHECK(anew->segments()[1] != known);
    CHECK(index->bytes() == anew->bytes());
    CHECK(index->whole().busy == anew->whole().busy);
    for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
      const LaneId lane = id_at<LaneId>(l);
      REQUIRE(index->union_rows(lane) == anew->union_rows(lane));
      for (std::size_t s = 0; s < index->union_rows(lane); ++s) {
        const RowSlices row = index->union_row(trace, lane, s).slices, other = anew->union_row(trace, lane, s).slices;
        std::vector<TimeRange> expected;  // by the slices of the view
        const auto slot = oracle::slices_of(trace, trace.lane(lane), static_cast<std::uint32_t>(s));
        for (std::size_t i = 0; i < slot.ids.size(); ++i) expected.push_back({slot.begin[i], slot.begin[i] + slot.duration[i]});
        Ns sum = 0;
        for (std::size_t i = 0; i < row.size(); ++i) sum += row.duration(i);
        REQUIRE(sum == oracle::union_length(expected));
        REQUIRE(row.size() == other.size());
        // A range that holds others may begin a moment after the first of them, in the row above it.
        if (row.size() > 0) REQUIRE(row.begin(0) == std::ranges::min(expected, {}, &TimeRange::begin).begin);
      }
    }
  }
}

TEST_SUITE("concurrent") {
  TEST_CASE("trace_index: a stop request ends the build without a result") {
    const auto trace = gen_trace(3, Shape::Nested).build();
    std::stop_source stop;
    stop.request_stop();
    CHECK(build_index(*trace, test_pool(), stop.get_token()) == nullptr);
  }

  TEST_CASE("trace_index: the result is the same for any number of threads") {
    ThreadPool one(1), many(5);
    for (const std::uint64_t seed : seeds(9)) {
      CAPTURE(seed);
      const auto trace = gen_trace(seed, shape_of(seed)).build();
      const auto a = build_index(*trace, one), b = build_index(*trace, many);
      REQUIRE(a->bytes() == b->bytes());
      REQUIRE(a->whole().busy == b->whole().busy);
      REQUIRE(a->whole().label == b->whole().label);
    }
  }
}

TEST_CASE("trace_index: an overview covers the work, not marks far beyond it") {
  TraceSketch sketch;
  sketch.lane("a", RowRule::Nest).lane("b", RowRule::Nest);
  sketch.slice("a", 1'024'000, 512'000).slice("b", 1'024'000, 1'024'000).instant("a", 0).instant("b", 90'000'000);
  sketch.slice("b", 80'000'000, 0, "no length");
  const Snapshot snapshot = snapshot_of(sketch.build());
  const Overview& whole = snapshot.index->whole();
  CHECK(whole.busy[0] == 255);
  CHECK(whole.busy[511] == 255);
  CHECK(whole.busy[600] == 128);
  CHECK(whole.busy[1023] == 128);
}
