#include "core/query/slice_sums.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/view/words/sums_text.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

SliceId slice_of(const Trace& trace, std::string_view name) {
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    if (trace.labels.name(trace.slices.label[i]) == name) return id_at<SliceId>(i);
  }
  return kNone<SliceId>;
}

}  // namespace

TEST_CASE("slice_sums: sums between two slices cover only slices of their depth") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).lane("u", RowRule::Nest);
  sketch.slice("t", 0, 1'000, "outer").slice("t", 100, 100, "a").slice("t", 250, 50, "b").slice("t", 260, 10, "deep");
  sketch.slice("t", 300, 100, "c").slice("t", 600, 400, "d").slice("u", 0, 10, "other");
  const auto trace = sketch.build();
  const auto stretch = stretch_between(*trace, slice_of(*trace, "d"), slice_of(*trace, "a"));  // in any order
  REQUIRE(stretch);
  CHECK(stretch->first == slice_of(*trace, "a"));
  CHECK(stretch->depth == 1);
  const SliceSums sums = sums_between(*trace, *stretch);
  CHECK(sums.count == 4);
  CHECK(sums.total == 650);
  CHECK(sums.longest == 400);
  CHECK(sums.covered == TimeRange{100, 1'000});
  CHECK(sums.gaps == 2);  // 200..250 and 400..600; b and c touch
  CHECK(sums.idle == 250);
  CHECK(sums.longest_gap == 200);
  CHECK(begins_of(*trace, *stretch).length() == 500);
  CHECK(!stretch_between(*trace, slice_of(*trace, "a"), slice_of(*trace, "other")));
  const SliceSums alone = sums_between(*trace, *stretch_between(*trace, slice_of(*trace, "b"), slice_of(*trace, "b")));
  CHECK(alone.count == 1);
  CHECK(alone.gaps == 0);
}

TEST_CASE("slice_sums: instants of a name do not count in its times") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", 0, 10).slice("t", 20, 20).instant("t", 50, "a").instant("t", 60, "b");
  const auto trace = sketch.build();
  const SliceSums sums = sums_of_label(*trace, trace->label_of(slice_of(*trace, "a")));
  CHECK(sums.count == 2);
  CHECK(sums.instants == 1);
  CHECK(same_name_text(sums) == "2 of this name: 30 ns in all, 15 ns on average, the longest 20 ns; also 1 instant");
  CHECK(same_name_text(sums_of_label(*trace, trace->label_of(slice_of(*trace, "b")))) == "1 instant of this name");
}

TEST_CASE("slice_sums: sums equal those counted slice by slice") {
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    if (trace->slices.size() == 0) continue;
    Random random(seed);
    for (int i = 0; i < 5; ++i) {
      const auto one =
          id_at<SliceId>(static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(trace->slices.size()) - 1)));
      const Row& row = trace->row(trace->row_of(one));
      const Lane& lane = trace->lane(row.lane);
      const Row& other_row = random.one_of(trace->rows_of(lane));
      if (row.kind != RowKind::Slices || other_row.kind != RowKind::Slices || other_row.count == 0) continue;
      const auto two = id_at<SliceId>(other_row.first + static_cast<std::size_t>(random.in(0, other_row.count - 1)));
      const auto stretch = stretch_between(*trace, one, two);
      REQUIRE(stretch);
      const Ns low = std::min(trace->begin_of(one), trace->begin_of(two));
      const Ns high = std::max(trace->begin_of(one), trace->begin_of(two));
      SliceSums expected;
      for (std::size_t s = 0; s < trace->slices.size(); ++s) {
        const Row& its = trace->row(trace->row_of(id_at<SliceId>(s)));
        const Ns begin = trace->slices.begin[s];
        if (its.lane != row.lane || its.depth != row.depth || its.kind != RowKind::Slices || begin < low ||
            begin > high)
          continue;
        ++expected.count;
        if (trace->slices.ref[s].is(kUnfinished)) {
          ++expected.unfinished;
        } else {
          expected.total += trace->slices.duration[s];
          expected.longest = std::max(expected.longest, trace->slices.duration[s]);
        }
      }
      const SliceSums sums = sums_between(*trace, *stretch);
      CHECK(sums.count == expected.count);
      CHECK(sums.unfinished == expected.unfinished);
      CHECK(sums.total == expected.total);
      CHECK(sums.longest == expected.longest);
      CHECK(sums.idle <= sums.covered.length());
      CHECK((sums.gaps == 0) == (sums.idle == 0));
    }
    const LabelId label = trace->slices.label[0];
    std::uint64_t count = 0, instants = 0;
    for (std::size_t s = 0; s < trace->slices.size(); ++s) {
      if (trace->slices.label[s] != label) continue;
      const bool instant = trace->row(trace->row_of(id_at<SliceId>(s))).kind == RowKind::Instants;
      ++(instant ? instants : count);
    }
    CHECK(sums_of_label(*trace, label).count == count);
    CHECK(sums_of_label(*trace, label).instants == instants);
  }
}
