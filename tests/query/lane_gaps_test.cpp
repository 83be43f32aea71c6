#include "core/query/lane_gaps.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

#include "tests/support/gen_segments.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string_view name_of_slice(const Trace& trace, SliceId slice) {
  return trace.name_of(slice);
}

// Scans all slices of the lane, in any row.
std::vector<TimeRange> gaps_by_scan(const Trace& trace, LaneId lane) {
  std::vector<std::pair<Ns, Ns>> slices;
  for (const Row& row : trace.rows_of(trace.lane(lane))) {
    if (row.kind != RowKind::Slices) continue;
    for (std::size_t s = row.first; s < std::size_t{row.first} + row.count; ++s) {
      slices.emplace_back(trace.slices.begin[s], trace.slices.begin[s] + trace.slices.duration[s]);
    }
  }
  std::ranges::sort(slices);
  std::vector<TimeRange> gaps;
  for (std::size_t i = 0, busy = 0; i < slices.size(); ++i) {
    if (i > 0 && slices[i].first > slices[busy].second) gaps.push_back({slices[busy].second, slices[i].first});
    if (slices[i].second >= slices[busy].second) busy = i;
  }
  std::ranges::sort(gaps, {}, [](const TimeRange& g) { return std::tuple(-g.length(), g.begin); });
  return gaps;
}

}  // namespace

TEST_CASE("lane gaps: gaps lie between slices, not within parents, and come longest first") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 100, "step").slice("t", 10, 20, "gemm").slice("t", 50, 20, "add");
  sketch.slice("t", 130, 50, "copy").slice("t", 400, 10, "end").instant("t", 300);
  const auto trace = sketch.build();
  const LaneId lane = trace->row(trace->row_of(id_at<SliceId>(0))).lane;
  const std::vector<Gap> gaps = gaps_of_lane(*trace, lane);
  REQUIRE(gaps.size() == 2);
  CHECK(gaps[0].time == TimeRange{180, 400});  // an instant takes no time
  CHECK(name_of_slice(*trace, gaps[0].before) == "copy");
  CHECK(name_of_slice(*trace, gaps[0].after) == "end");
  CHECK(gaps[1].time == TimeRange{100, 130});
  CHECK(name_of_slice(*trace, gaps[1].before) == "step");
  CHECK(gap_at(*trace, lane, 120) == gaps[1]);
  CHECK(!gap_at(*trace, lane, 40));
  CHECK(!gap_at(*trace, lane, 410));
  CHECK(!gap_at(*trace, lane, -5));
  CHECK(gaps_of_lane(*trace, lane, 1) == std::vector{gaps[0]});
}

TEST_CASE("lane gaps: of slices that end together, the one in the first row precedes the gap") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Pack);
  // "long" lies in the second row; slices in the first row during it are skipped, except those that end with it.
  sketch.slice("t", 0, 10, "one").slice("t", 5, 95, "long").slice("t", 12, 8, "two").slice("t", 22, 6, "three");
  sketch.slice("t", 30, 70, "last").slice("t", 150, 10, "next");
  const auto trace = sketch.build();
  const RowId first = trace->row_of(id_at<SliceId>(0));
  const LaneId lane = trace->row(first).lane;
  REQUIRE(trace->lane(lane).row_count == 2);
  const std::vector<Gap> gaps = gaps_of_lane(*trace, lane);
  REQUIRE(gaps.size() == 1);
  CHECK(gaps[0].time == TimeRange{100, 150});
  CHECK(name_of_slice(*trace, gaps[0].before) == "last");
  CHECK(trace->row_of(gaps[0].before) == first);
  CHECK(name_of_slice(*trace, gaps[0].after) == "next");
  CHECK(gap_at(*trace, lane, 120) == gaps[0]);  // the gap under the mouse must be in the list
}

TEST_CASE("lane gaps: a gap is of one row while the rest of the lane is busy, otherwise of the lane") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 100, "step").slice("t", 10, 20, "gemm").slice("t", 50, 20, "add").slice("t", 200, 100, "step");
  sketch.slice("t", 210, 10, "gemm");
  const auto trace = sketch.build();
  const RowId inner = trace->row_of(id_at<SliceId>(2));
  REQUIRE(trace->row(inner).depth == 1);
  const auto between = gap_at(*trace, inner, 40);
  REQUIRE(between);
  CHECK(between->row == inner);
  CHECK(between->time == TimeRange{30, 50});
  const auto outside = gap_at(*trace, inner, 150);
  REQUIRE(outside);
  CHECK(outside->row == kNone<RowId>);
  CHECK(outside->time == TimeRange{100, 200});
}

TEST_CASE("lane gaps: a line with rows of several segments has gaps from one row to the next") {
  const auto window = [](int number, Ns length) {
    TraceSketch sketch;
    sketch.lane("t", RowRule::Nest).slice("t", 0, length, "step");
    SourceView view = sketch.view();
    view.info.path = std::to_string(number);
    view.clock_base = {number * 100 * kMillisecond};
    return view;
  };
  // The last one runs all the time, on its own line.
  const auto view = compose({built({window(0, kMillisecond)}), built({window(2, kMillisecond)}), built({window(1, kMillisecond)}),
                             built({window(0, 300 * kMillisecond)})})
                        .value();
  REQUIRE(view->rows.size() == 4);
  for (const RowId row : {RowId{0}, RowId{1}, RowId{2}}) {
    CAPTURE(idx(row));
    for (const int number : {0, 1}) {
      const auto gap = gap_at(*view, row, (number * 100 + 50) * kMillisecond);
      REQUIRE(gap);
      CHECK(gap->time == TimeRange{(number * 100 + 1) * kMillisecond, (number + 1) * 100 * kMillisecond});
    }
    CHECK(!gap_at(*view, row, 100 * kMillisecond + 500'000));
    CHECK(!gap_at(*view, row, 250 * kMillisecond));
  }
}

TEST_CASE("lane gaps: gaps equal those of a linear scan") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    CAPTURE(name(shape_of(seed)));
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    Random random(seed);
    std::vector<LaneId> lanes;
    std::size_t all = 0;
    for (std::size_t l = 0; l < trace->lanes.size(); l += 1 + trace->lanes.size() / 8) {
      const LaneId lane = id_at<LaneId>(l);
      lanes.push_back(lane);
      const std::vector<TimeRange> expected = gaps_by_scan(*trace, lane);
      const std::vector<Gap> gaps = gaps_of_lane(*trace, lane);
      REQUIRE(gaps.size() == expected.size());
      all += gaps.size();
      for (std::size_t g = 0; g < gaps.size(); ++g) {
        REQUIRE(gaps[g].time == expected[g]);
        const std::size_t before = idx(gaps[g].before), after = idx(gaps[g].after);
        REQUIRE(trace->slices.begin[before] + trace->slices.duration[before] == gaps[g].time.begin);
        REQUIRE(trace->slices.begin[after] == gaps[g].time.end);
      }
      for (int i = 0; i < 10 && !gaps.empty(); ++i) {
        const Gap& gap = gaps[static_cast<std::size_t>(random.in(0, static_cast<Ns>(gaps.size()) - 1))];
        REQUIRE(gap_at(*trace, lane, random.in(gap.time.begin, gap.time.end - 1)) == gap);
      }
      const std::vector<Gap> some = gaps_of_lane(*trace, lane, 3);
      REQUIRE(std::equal(some.begin(), some.end(), gaps.begin()));
      REQUIRE(some.size() == std::min<std::size_t>(3, gaps.size()));
    }
    const std::vector<Gap> together = gaps_of_lanes(*trace, lanes, SIZE_MAX, test_pool());
    REQUIRE(together.size() == all);
    REQUIRE(std::ranges::is_sorted(together, {},
                                   [](const Gap& g) { return std::tuple(-g.time.length(), g.lane, g.time.begin); }));
  }
}
