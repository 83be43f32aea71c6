#include "core/analysis/statistics/name_differences.h"

#include <doctest/doctest.h>

#include <map>
#include <tuple>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// The same by a plain walk over all slices.
std::map<std::string, std::tuple<std::uint64_t, std::uint64_t, Ns>> plainly(const Trace& trace, LaneId a, LaneId b) {
  std::map<std::string, std::tuple<std::uint64_t, std::uint64_t, Ns>> out;
  for (std::size_t s = 0; s < trace.slices.size(); ++s) {
    const Row& row = trace.row(trace.row_of(id_at<SliceId>(s)));
    if (row.kind != RowKind::Slices) continue;
    const auto in = [&](LaneId side) { return idx(row.lane) >= idx(side) && idx(row.lane) < idx(trace.lane(side).subtree_end); };
    const std::string name(trace.labels.name(trace.slices.label[s]));
    const Ns length = trace.slices.ref[s].is(kUnfinished) ? 0 : trace.slices.duration[s];  // length unknown
    if (in(a)) {
      ++std::get<0>(out[name]);
      std::get<2>(out[name]) -= length;
    }
    if (in(b)) {
      ++std::get<1>(out[name]);
      std::get<2>(out[name]) += length;
    }
  }
  return out;
}

RangeStats stats_of(const Trace& trace, LaneId lane) {
  StatsQuery query;
  query.lanes = {lane};
  return range_stats(trace, query, test_pool());
}

}  // namespace

TEST_CASE("name_differences: changed, added and removed names are listed, the largest difference first") {
  TraceSketch sketch;
  sketch.lane("rank 0", RowRule::Nest).lane("rank 1", RowRule::Nest);
  sketch.slice("rank 0", 0, 100, "gemm").slice("rank 0", 200, 100, "gemm").slice("rank 0", 400, 10, "old");
  sketch.slice("rank 1", 0, 300, "gemm").slice("rank 1", 400, 40, "new").slice("rank 1", 500, 5, "same");
  sketch.slice("rank 0", 500, 5, "same");
  const auto trace = sketch.build();
  const auto parts = compared_parts(*trace);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].name == "rank 0");
  CHECK(has_compared_parts(*trace));
  const LaneId first = parts[0].lanes.front(), second = parts[1].lanes.front();
  const auto names = name_differences(trace->labels, stats_of(*trace, first), stats_of(*trace, second));
  REQUIRE(names.size() == 4);
  CHECK(trace->labels.name(names[0].label) == "gemm");
  CHECK(names[0].difference() == 100);
  CHECK(names[0].a_mean == 100);
  CHECK(names[0].b_mean == 300);
  CHECK(trace->labels.name(names[1].label) == "new");
  CHECK(names[1].added());
  CHECK(names[1].a_longest == kNone<SliceId>);
  CHECK(trace->labels.name(names[2].label) == "old");
  CHECK(names[2].removed());
  CHECK(names[3].difference() == 0);
}

TEST_CASE("name_differences: a single part with slices gives nothing to compare") {
  TraceSketch sketch;
  sketch.lane("rank 0", RowRule::Nest).lane("empty", RowRule::Nest);
  sketch.slice("rank 0", 0, 100, "gemm");
  CHECK_FALSE(has_compared_parts(*sketch.build()));
  CHECK(compared_parts(*sketch.build()).empty());
  CHECK_FALSE(has_compared_parts(*TraceSketch().build()));
}

TEST_CASE("name_differences: counts and differences match a plain walk over all slices") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    const auto parts = compared_parts(*trace);
    if (parts.size() < 2) continue;
    const LaneId a = parts.front().lanes.front(), b = parts.back().lanes.front();
    const auto want = plainly(*trace, a, b);
    std::map<std::string, std::tuple<std::uint64_t, std::uint64_t, Ns>> got;
    Ns before = -1;
    for (const NameDifference& one : name_differences(trace->labels, stats_of(*trace, a), stats_of(*trace, b))) {
      auto& [of_a, of_b, difference] = got[std::string(trace->labels.name(one.label))];
      of_a += one.a_count;
      of_b += one.b_count;
      difference += one.difference();
      if (before >= 0) CHECK(std::abs(one.difference()) <= before);
      before = std::abs(one.difference());
    }
    CHECK(got == want);
  }
}
