#include "core/query/hit_test.h"

#include <doctest/doctest.h>

#include "core/query/row_search.h"
#include "tests/support/gen_trace.h"
#include "tests/support/oracles.h"

using namespace tv;
using namespace tv::test;

namespace {

std::optional<std::size_t> hit(const std::vector<std::pair<Ns, Ns>>& slices, Ns t, Ns tolerance) {
  std::vector<Ns> begin, duration;
  for (const auto& [b, d] : slices) {
    begin.push_back(b);
    duration.push_back(d);
  }
  const std::vector<LabelId> label(begin.size());
  const auto found = hit_test({begin, duration, label, SegmentSlice{0}}, t, tolerance);
  return found ? std::optional(idx(*found)) : std::nullopt;
}

}  // namespace

TEST_CASE("hit_test: a slice is hit from its begin up to but not including its end") {
  CHECK(hit({{0, 10}, {10, 10}}, 9, 0) == 0);
  CHECK(hit({{0, 10}, {10, 10}}, 10, 0) == 1);
  CHECK(hit({{0, 10}, {10, 10}}, 20, 0) == std::nullopt);
  CHECK(hit({}, 5, 100) == std::nullopt);
}

TEST_CASE("hit_test: a zero-length slice at the time is hit") { CHECK(hit({{0, 10}, {15, 0}}, 15, 0) == 1); }

TEST_CASE("hit_test: a containing slice beats a near one") { CHECK(hit({{0, 10}, {11, 100}}, 11, 50) == 1); }

TEST_CASE("hit_test: otherwise the nearest slice within the tolerance is hit, the earlier of two") {
  CHECK(hit({{0, 10}, {20, 10}}, 13, 4) == 0);
  CHECK(hit({{0, 10}, {20, 10}}, 13, 3) == std::nullopt);
  CHECK(hit({{0, 10}, {20, 10}}, 17, 4) == 1);
  CHECK(hit({{0, 11}, {20, 10}}, 15, 5) == 0);  // 5 from both: 15 - 10 and 20 - 15
}

TEST_CASE("hit_test, touching: results equal those of a linear scan") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    Random random(seed);
    for (std::size_t r = 0; r < trace->rows.size(); r += 1 + trace->rows.size() / 10) {
      const RowSlices row = trace->slices_of(trace->rows[r]);
      if (row.size() == 0) continue;
      for (int i = 0; i < 20; ++i) {
        const Ns t = row.begin(random.next() % row.size()) + random.in(-60, 60), tolerance = random.in(0, 40);
        const auto expected = oracle::hit_test(row, t, tolerance), found = hit_test(row, t, tolerance);
        REQUIRE(found.has_value() == expected.has_value());
        // Any of several instants at one time is correct.
        if (found && *found != *expected) {
          REQUIRE(trace->begin_of(*found) == trace->begin_of(*expected));
        }

        const TimeRange range{t, t + random.in(0, 3'000)};
        const RowPart part = touching(row, range);
        for (std::size_t s = 0; s < row.size(); ++s) {
          const bool zero_inside =
              row.duration(s) == 0 && row.begin(s) >= range.begin && row.begin(s) < range.end;
          const bool overlaps = row.begin(s) < range.end && row.end(s) > range.begin && !range.empty();
          REQUIRE((s >= part.first && s < part.last) == (zero_inside || overlaps));
        }
      }
    }
  }
}
