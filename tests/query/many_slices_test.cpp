// A view with more slices than 32 bits can number: segments next to one with four billion marks give the same results as
// without it.
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <algorithm>
#include <tuple>

#include "core/query/hit_test.h"
#include "core/query/lane_gaps.h"
#include "core/query/neighbours.h"
#include "core/query/range_stats.h"
#include "core/query/visible.h"
#include "tests/support/gen_segments.h"
#include "tests/support/skip.h"

using namespace tv;
using namespace tv::test;

namespace {

// Zeros that are never written take no memory. Null if the system denies that much address space.
template <class T>
std::optional<Column<T>> zeros(std::size_t n) {
  const std::size_t bytes = n * sizeof(T);
  void* const at = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return std::nullopt;
  std::shared_ptr<std::byte> owner(static_cast<std::byte*>(at), [bytes](std::byte* p) { ::munmap(p, bytes); });
  return Column<T>(std::move(owner), static_cast<T*>(at), n);
}

// Marks at time 0 on one lane, as many as a segment can number.
std::shared_ptr<const Trace> four_billion_marks() {
  constexpr std::size_t kMarks = idx(kNone<SegmentSlice>);
  auto begin = zeros<Ns>(kMarks), duration = zeros<Ns>(kMarks), self = zeros<Ns>(kMarks);
  auto label = zeros<LabelId>(kMarks);
  auto ref = zeros<ItemRef>(kMarks);
  if (!begin || !duration || !self || !label || !ref) return nullptr;
  auto trace = std::make_shared<Trace>();
  trace->slices.begin = std::move(*begin);
  trace->slices.duration = std::move(*duration);
  trace->slices.self = std::move(*self);
  trace->slices.label = std::move(*label);
  trace->slices.ref = std::move(*ref);
  trace->labels.intern("", "mark");
  trace->sources.emplace_back().path = "marks.json";
  Lane lane;
  lane.name = "marks";
  lane.kind = LaneKind::Thread;
  lane.subtree_end = LaneId{1};
  lane.row_count = 1;
  lane.instants = kMarks;
  trace->lanes.push_back(lane);
  trace->rows.push_back({LaneId{0}, RowKind::Instants, 0, 0, static_cast<std::uint32_t>(kMarks), 0});
  trace->instant_count = kMarks;
  return trace;
}

using Facts = std::tuple<std::string, std::string, Ns, Ns>;

Facts facts_of(const Trace& trace, SliceId slice) {
  return {trace.lane(trace.row(trace.row_of(slice)).lane).name, std::string(trace.name_of(slice)),
          trace.begin_of(slice) + trace.origin_ns, trace.duration_of(slice)};
}
std::optional<Facts> facts_of(const Trace& trace, std::optional<SliceId> slice) {
  return slice ? std::optional(facts_of(trace, *slice)) : std::nullopt;
}

}  // namespace

TEST_CASE("many_slices: queries on slices with ids above 2^32 equal those without the other slices") {
  const auto marks = four_billion_marks();
  if (!marks) return skip("no room for 155 GB of addresses");
  for (const std::uint64_t seed : seeds(10)) {
    CAPTURE(seed);
    const Segments few = segments_of(seed, 3);
    Segments many = {marks};
    many.insert(many.end(), few.begin(), few.end());
    const auto a = compose(few).value(), b = compose(many).value();
    const std::size_t before = marks->items();
    REQUIRE(b->items() == a->items() + before);
    REQUIRE(b->items() > std::size_t{1} << 32);
    CHECK(facts_of(*b, id_at<SliceId>(before - 1)) == Facts{"marks", "mark", 0, 0});
    for (const SliceId of_few : a->ids()) {
      const SliceId slice = id_at<SliceId>(before + idx(of_few));
      REQUIRE(facts_of(*a, of_few) == facts_of(*b, slice));
      if (a->ref_of(of_few).is(kInstant)) continue;
      CHECK(facts_of(*a, parent_of(*a, of_few)) == facts_of(*b, parent_of(*b, slice)));
      CHECK(facts_of(*a, children_of(*a, of_few).first) == facts_of(*b, children_of(*b, slice).first));
      CHECK(facts_of(*a, next_in_lane(*a, of_few)) == facts_of(*b, next_in_lane(*b, slice)));
      CHECK(facts_of(*a, previous_in_row(*a, of_few)) == facts_of(*b, previous_in_row(*b, slice)));
    }
    std::vector<Flow> arrows;
    for (const Flow flow : a->flows) arrows.push_back({id_at<SliceId>(before + idx(flow.from)), id_at<SliceId>(before + idx(flow.to))});
    CHECK(std::ranges::equal(b->flows, arrows));
    for (const Flow& arrow : arrows) {
      std::size_t leave = 0, enter = 0;
      b->flows.leaving(arrow.from, [&](std::size_t, const Flow& flow) { leave += flow == arrow; });
      b->flows.entering(arrow.to, [&](std::size_t, const Flow& flow) { enter += flow == arrow; });
      CHECK(leave > 0);
      CHECK(leave == enter);
    }
    b->flows.leaving(SliceId{0}, [](std::size_t, const Flow&) { FAIL("no arrow leaves a mark"); });

    StatsQuery query;
    for (std::size_t l = 0; l < b->lanes.size(); ++l) {
      if (b->lanes[l].row_count > 0 && b->lanes[l].name != "marks") query.lanes.push_back(id_at<LaneId>(l));
    }
    const RangeStats x = range_stats(*a, {}, test_pool()), y = range_stats(*b, query, test_pool());
    CHECK(x.count == y.count);
    REQUIRE(x.labels.size() == y.labels.size());
    for (std::size_t l = 0; l < x.labels.size(); ++l) {
      CHECK(facts_of(*a, x.labels[l].longest) == facts_of(*b, y.labels[l].longest));
      CHECK(x.labels[l].p99 == y.labels[l].p99);
    }
    for (const Row& row : b->rows) {
      const RowSlices slices = b->slices_of(row);
      if (idx(row.lane) < b->lanes.size() && b->lane(row.lane).name == "marks") continue;
      if (slices.size() == 0) continue;
      const PixelMap map{static_cast<double>(slices.begin(0)), std::max<double>(static_cast<double>(b->extent.length()) / 50, 1.0), 50};
      VisibleRow shown;
      visible({slices, {}}, map, shown);
      for (const FoldedColumn& column : shown.columns) {
        if (!column.empty()) CHECK(b->row_of(column.representative) == b->row_of(slices.id(0)));
      }
      const auto hit = hit_test(slices, slices.begin(slices.size() - 1), 0);
      REQUIRE(hit);
      CHECK(idx(*hit) >= before);
    }
  }
}
