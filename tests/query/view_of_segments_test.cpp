// Every query of a view over segments gives the same answer as one trace built at once (core/SEGMENTS.md).
#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

#include "core/query/hit_test.h"
#include "core/query/lane_gaps.h"
#include "core/query/range_stats.h"
#include "core/query/visible.h"
#include "tests/support/gen_segments.h"

using namespace tv;
using namespace tv::test;

namespace {

// Identifies a slice by its contents, because ids differ.
using Told = std::tuple<std::string, Ns, Ns>;

Told told(const Trace& trace, SliceId slice) {
  return {std::string(trace.name_of(slice)), trace.begin_of(slice), trace.duration_of(slice)};
}

// The same data as one trace and as a view, as recorded or in aligned runs.
struct Both {
  explicit Both(std::uint64_t seed) : Both(seed, static_cast<Align>(seed % static_cast<std::uint64_t>(Align::kCount))) {}
  Both(std::uint64_t seed, Align align) : Both(seed, align, align == Align::Recorded ? kCloseTogether : kInRuns) {}
  Both(std::uint64_t seed, Align align, Ns apart)
      : one(snapshot_of(all_at_once(seed, 2 + seed % 4, false, apart, align))),
        view(snapshot_of(compose(segments_of(seed, 2 + seed % 4, false, apart), PlaceBy::Collectives, {}, {}, align).value())) {
    REQUIRE(one.trace->align == align);
    REQUIRE(view.trace->align == align);
    REQUIRE(one.trace->rows.size() == view.trace->rows.size());
    REQUIRE(!view.trace->parts.empty());
  }
  Snapshot one, view;
};

void check_same_picture(const Both& both, RowId row, const PixelMap& map) {
  VisibleRow a, b;
  visible(both.one.index->row(*both.one.trace, row), map, a);
  visible(both.view.index->row(*both.view.trace, row), map, b);
  REQUIRE(a.slices.size() == b.slices.size());
  for (std::size_t s = 0; s < a.slices.size(); ++s) {
    CHECK(a.slices[s].at == b.slices[s].at);
    CHECK(a.slices[s].x0 == doctest::Approx(b.slices[s].x0));
    CHECK(a.slices[s].x1 == doctest::Approx(b.slices[s].x1));
  }
  for (std::size_t x = 0; x < a.columns.size(); ++x) {
    const FoldedColumn &one = a.columns[x], &view = b.columns[x];
    REQUIRE(one.empty() == view.empty());
    if (one.empty()) continue;
    CHECK(one.coverage == doctest::Approx(view.coverage));
    CHECK(both.one.trace->labels.name(one.label) == both.view.trace->labels.name(view.label));
    CHECK(told(*both.one.trace, one.representative) == told(*both.view.trace, view.representative));
  }
}

}  // namespace

TEST_CASE("view_of_segments: rows look the same at every zoom and give the same hits") {
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    const Both both(seed);
    const Trace &one = *both.one.trace, &view = *both.view.trace;
    Random random(seed);
    for (std::size_t r = 0; r < one.rows.size(); r += 1 + one.rows.size() / 40) {
      CAPTURE(r);
      for (int zoom = 0; zoom < 4; ++zoom) {
        const double width = std::max(static_cast<double>(one.extent.length()) * (zoom == 0 ? 1 : random.unit()), 1.0);
        const double begin = zoom == 0 ? 0 : random.unit() * static_cast<double>(one.extent.length());
        check_same_picture(both, id_at<RowId>(r), {begin, width / 200, 200});
        const Ns t = static_cast<Ns>(begin);
        const auto a = hit_test(one.slices_of(one.rows[r]), t, 10), b = hit_test(view.slices_of(view.rows[r]), t, 10);
        REQUIRE(a.has_value() == b.has_value());
        if (a) CHECK(told(one, *a) == told(view, *b));
      }
    }
  }
}

TEST_CASE("view_of_segments: statistics of any range equal those of one trace") {
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    const Both both(seed);
    Random random(seed);
    for (int round = 0; round < 3; ++round) {
      StatsQuery query{{}, {}};
      query.unions = true;
      const Ns all = both.one.trace->extent.length(), begin = random.in(0, all);
      if (round > 0) query.range = TimeRange{begin, random.in(begin, all)};
      const RangeStats a = range_stats(*both.one.trace, query, test_pool()),
                       b = range_stats(*both.view.trace, query, test_pool(), {}, {20, 500, 20});
      CHECK(a.count == b.count);
      CHECK(a.total == b.total);
      CHECK(a.self == b.self);
      CHECK(a.cut == b.cut);
      REQUIRE(a.labels.size() == b.labels.size());
      for (std::size_t l = 0; l < a.labels.size(); ++l) {
        const LabelStats &x = a.labels[l], &y = b.labels[l];
        CHECK(both.one.trace->labels.name(x.label) == both.view.trace->labels.name(y.label));
        CHECK(std::tuple(x.count, x.unfinished, x.total, x.self, x.busy, x.min, x.max) ==
              std::tuple(y.count, y.unfinished, y.total, y.self, y.busy, y.min, y.max));
        for (const LengthQuantile& quantile : kLengthQuantiles) CHECK(x.*quantile.member == y.*quantile.member);
        CHECK(x.stddev == y.stddev);
        CHECK(both.one.trace->duration_of(x.longest) == both.view.trace->duration_of(y.longest));
      }
      CHECK(busy_union(both.one, query) == busy_union(both.view, query));
    }
  }
}

TEST_CASE("view_of_segments: gaps of lanes equal those of one trace") {
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    const Both both(seed);
    for (std::size_t l = 0; l < both.one.trace->lanes.size(); l += 1 + both.one.trace->lanes.size() / 20) {
      const auto a = gaps_of_lane(*both.one.trace, id_at<LaneId>(l), 50),
                 b = gaps_of_lane(*both.view.trace, id_at<LaneId>(l), 50);
      REQUIRE(a.size() == b.size());
      for (std::size_t g = 0; g < a.size(); ++g) {
        CHECK(a[g].time == b[g].time);
        CHECK(told(*both.one.trace, a[g].after) == told(*both.view.trace, b[g].after));
      }
    }
  }
}
