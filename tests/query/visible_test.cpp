#include "core/query/visible.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/gen_trace.h"
#include "tests/support/oracles.h"

using namespace tv;
using namespace tv::test;

namespace {

Snapshot one_row(const std::vector<std::pair<Ns, Ns>>& slices) {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  for (const auto& [begin, duration] : slices)
    sketch.slice("t", begin, duration, "s" + std::to_string(begin));
  return snapshot_of(sketch.build());
}

VisibleRow show(const Snapshot& snapshot, const PixelMap& map) {
  VisibleRow out;
  visible(snapshot.index->row(*snapshot.trace, RowId{0}), map, out);
  return out;
}

}  // namespace

TEST_CASE("visible: a slice of a pixel or more is a rectangle, and a shorter one is folded") {
  const Snapshot snapshot = one_row({{0, 10}, {20, 9}});
  const VisibleRow shown = show(snapshot, {0, 10, 4});
  REQUIRE(shown.slices.size() == 1);
  CHECK(shown.slices[0].x0 == 0);
  CHECK(shown.slices[0].x1 == 1);
  CHECK_FALSE(shown.slices[0].clipped_left);
  CHECK(shown.folded_columns == 1);
  CHECK(shown.columns[2].coverage == doctest::Approx(0.9));
  CHECK(shown.columns[2].representative == id_at<SliceId>(1));
}

TEST_CASE("visible: a folded slice on a pixel border is split in proportion") {
  const VisibleRow shown = show(one_row({{0, 0}, {17, 4}}), {0, 10, 4});
  CHECK(shown.columns[1].coverage == doctest::Approx(0.3));
  CHECK(shown.columns[2].coverage == doctest::Approx(0.1));
}

TEST_CASE("visible: a folded slice that ends with its pixel is not in the next one") {
  const VisibleRow shown = show(one_row({{0, 0}, {12, 8}}), {0, 10, 4});
  CHECK(shown.columns[1].coverage == doctest::Approx(0.8));
  CHECK(shown.columns[2].empty());
  CHECK(shown.folded_columns == 2);
}

TEST_CASE("visible: the first of equally long slices represents their pixel") {
  const VisibleRow shown = show(one_row({{0, 0}, {10, 2}, {13, 2}, {16, 1}}), {0, 10, 4});
  CHECK(shown.columns[1].representative == id_at<SliceId>(1));
}

TEST_CASE("visible: a zero-length slice fills a column with zero coverage") {
  const VisibleRow shown = show(one_row({{0, 0}, {25, 0}}), {0, 10, 4});
  CHECK(shown.folded_columns == 2);
  CHECK_FALSE(shown.columns[2].empty());
  CHECK(shown.columns[2].coverage == 0);
}

TEST_CASE("visible: slices that reach beyond the window are clipped and marked as clipped") {
  const VisibleRow shown = show(one_row({{0, 1'000'000'000}}), {500, 1, 100});
  REQUIRE(shown.slices.size() == 1);
  CHECK(shown.slices[0].x0 == 0);
  CHECK(shown.slices[0].x1 == 100);
  CHECK(shown.slices[0].clipped_left);
  CHECK(shown.slices[0].clipped_right);
}

TEST_CASE("visible: slices that only touch a border of the window are outside") {
  const VisibleRow shown = show(one_row({{0, 100}, {200, 100}}), {100, 1, 100});
  CHECK(shown.slices.empty());
  CHECK(shown.folded_columns == 0);
}

TEST_CASE("visible: a slice that reaches into the first pixel is shown, also one below a pyramid node") {
  std::vector<std::pair<Ns, Ns>> slices;
  for (int i = 0; i < 64; ++i) slices.emplace_back(i * 10, 5);
  slices.emplace_back(1'000'000, 5);
  // The window begins within the last slice of the 64; everything up to there is one node or two.
  const VisibleRow shown = show(one_row(slices), {632, 2'000, 100});
  CHECK_FALSE(shown.columns[0].empty());
  CHECK(shown.columns[1].empty());
}

TEST_CASE("visible: a window of zero width shows nothing") {
  CHECK(show(one_row({{0, 100}}), {0, 1, 0}).columns.empty());
}

TEST_CASE("visible: the longest slice of a column represents it") {
  const VisibleRow shown = show(one_row({{0, 10}, {10, 30}, {40, 20}}), {0, 100, 2});
  CHECK(shown.columns[0].representative == id_at<SliceId>(1));
}

TEST_CASE("visible: the folding contract holds for every row at every zoom") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    CAPTURE(name(shape_of(seed)));
    const Snapshot snapshot = snapshot_of(gen_trace(seed, shape_of(seed)).build());
    const Trace& trace = *snapshot.trace;
    if (trace.rows.empty()) continue;
    Random random(seed ^ 0xABCDEF);
    VisibleRow shown;  // reused: nothing of one window may leak into the next
    for (int i = 0; i < 60; ++i) {
      const auto r = static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(trace.rows.size()) - 1));
      const auto extent = static_cast<double>(std::max<Ns>(trace.extent.length(), 1));
      const auto width = static_cast<std::uint32_t>(random.in(1, 300));
      const double span = extent * std::exp2(-random.unit() * 24) * 1.2;
      double begin = random.unit() * extent - span / 2;
      // About half of the windows hold the begin of a slice, so that deep zooms see something; a fifth begin within a pixel of
      // a slice's end.
      if (const Row& row = trace.rows[r]; random.chance(0.7) && row.count > 0) {
        const RowSlices slices = trace.slices_of(row);
        const std::size_t at = random.next() % row.count;
        begin = random.chance(0.7) ? static_cast<double>(slices.begin(at)) - span * random.unit()
                                   : static_cast<double>(slices.end(at)) - random.unit() * span / width;
      }
      const PixelMap map{begin, span / width, width};
      CAPTURE(r);
      CAPTURE(begin);
      CAPTURE(span);
      CAPTURE(width);
      const IndexedRow row = snapshot.index->row(trace, id_at<RowId>(r));
      visible(row, map, shown);
      REQUIRE(oracle::check_folding(row.slices, map, shown, row.pyramid.levels()) == "");
    }
  }
}

TEST_CASE("visible: columns of a line add up in any order, and each is listed once") {
  std::mt19937 random(1);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  VisibleRow line;
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t width = 1 + below(round % 2 == 0 ? 40 : 8);
    line.clear(width);
    CHECK(line.filled().empty());
    CHECK(std::ranges::all_of(line.columns, &FoldedColumn::empty));
    std::map<std::uint32_t, FoldedColumn> expected;
    for (std::uint32_t n = below(3 * width); n > 0; --n) {
      const std::uint32_t x = below(width);
      const FoldedColumn column{0.25f * static_cast<float>(1 + below(3)), static_cast<float>(n), LabelId{n}, SliceId{n}};
      line.add(x, column);
      FoldedColumn& there = expected[x];
      const float coverage = std::min(there.coverage + column.coverage, 1.0f);
      if (column.longest > there.longest) there = column;
      there.coverage = coverage;
    }
    const std::set<std::uint32_t> filled(line.filled().begin(), line.filled().end());
    CHECK(filled.size() == line.filled().size());
    REQUIRE(line.filled().size() == expected.size());
    for (const auto& [x, column] : expected) {
      CHECK(filled.contains(x));
      CHECK(line.columns[x].coverage == column.coverage);
      CHECK(line.columns[x].label == column.label);
    }
  }
}

TEST_CASE("visible: a row narrower than a pixel adds its busy time to the columns it overlaps") {
  const Snapshot snapshot = one_row({{0, 40}, {50, 10}, {75, 0}, {80, 20}});
  const IndexedRow row = snapshot.index->row(*snapshot.trace, RowId{0});
  const WholeRow whole = whole_row(row);
  CHECK(whole.extent == TimeRange{0, 100});
  CHECK(whole.busy == 70);
  CHECK(whole.longest == 40);
  VisibleRow line;
  for (const auto& [map, filled] : {std::pair(PixelMap{-1'000, 200, 10}, std::vector<std::uint32_t>{5}),
                                    {PixelMap{-1'000, 525, 10}, std::vector<std::uint32_t>{1, 2}},
                                    {PixelMap{50, 400, 10}, std::vector<std::uint32_t>{0}},
                                    {PixelMap{100, 400, 10}, std::vector<std::uint32_t>{}},
                                    {PixelMap{-1'000, 200, 5}, std::vector<std::uint32_t>{}},
                                    {PixelMap{-1'000, 200, 0}, std::vector<std::uint32_t>{}}}) {
    line.clear(map.width);
    add_visible(whole, map, line);
    CHECK(std::vector(line.filled().begin(), line.filled().end()) == filled);
    float busy = 0;
    for (const std::uint32_t x : line.filled()) busy += line.columns[x].coverage * static_cast<float>(map.ns_per_px);
    CHECK(busy == doctest::Approx(filled.empty() ? 0 : map.begin == 50 ? 35 : 70));
  }
}
