#include "core/query/neighbours.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "tests/support/gen_segments.h"
#include "tests/support/gen_trace.h"
#include "tests/support/oracles.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("neighbours: parents, children and neighbours in a stack are found") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 100, "root")
      .slice("t", 10, 30, "a")
      .slice("t", 20, 10, "leaf")
      .slice("t", 50, 20, "b");
  const auto trace = sketch.build();
  const auto find = [&](std::string_view name) {
    for (std::size_t i = 0; i < trace->slices.size(); ++i) {
      if (trace->labels.name(trace->slices.label[i]) == name) return id_at<SliceId>(i);
    }
    return kNone<SliceId>;
  };
  CHECK(parent_of(*trace, find("root")) == std::nullopt);
  CHECK(parent_of(*trace, find("leaf")) == find("a"));
  CHECK(parent_of(*trace, find("b")) == find("root"));
  CHECK(children_of(*trace, find("root")).count == 2);
  CHECK(children_of(*trace, find("root")).first == find("a"));
  CHECK(children_of(*trace, find("b")).count == 0);
  CHECK(next_in_row(*trace, find("a")) == find("b"));
  CHECK(previous_in_row(*trace, find("a")) == std::nullopt);
  CHECK(next_in_lane(*trace, find("a")) == find("leaf"));
  CHECK(previous_in_lane(*trace, find("b")) == find("leaf"));
}

TEST_CASE("neighbours: a child that ends late within the tolerance keeps its parent") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest, LaneKind::Phases, kMillisecond);
  sketch.slice("t", 0, 10 * kMillisecond, "request").slice("t", kMillisecond, 9 * kMillisecond + 500, "turn");
  const auto trace = sketch.build();
  CHECK(parent_of(*trace, id_at<SliceId>(1)) == id_at<SliceId>(0));
  CHECK(children_of(*trace, id_at<SliceId>(0)).count == 1);
}

TEST_CASE("neighbours: consecutive segments give the same neighbours as one trace read at once") {
  std::size_t parents = 0, across = 0;
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    const auto one = all_at_once(seed, 3, true, kInRuns);
    const auto view = compose(segments_of(seed, 3, true, kInRuns)).value();
    using Told = std::tuple<LaneId, Ns, Ns, std::string, std::uint32_t, std::uint16_t>;
    const auto told = [](const Trace& trace, SliceId slice) {
      const Row& row = trace.row(trace.row_of(slice));
      return Told(row.lane, trace.begin_of(slice), trace.duration_of(slice), trace.name_of(slice), row.slot, row.depth);
    };
    std::map<Told, SliceId> in_view;
    for (const SliceId slice : view->ids()) in_view.emplace(told(*view, slice), slice);
    for (const Row& row : one->rows) {
      const Lane& lane = one->lane(row.lane);
      if (row.kind != RowKind::Slices || lane.overlaps > 0) continue;
      for (const SliceId slice : one->ids_of(row)) {
        const auto there = in_view.find(told(*one, slice));
        REQUIRE(there != in_view.end());
        const auto same = [&](std::optional<SliceId> a, std::optional<SliceId> b) {
          REQUIRE(a.has_value() == b.has_value());
          if (a) REQUIRE(told(*one, *a) == told(*view, *b));
        };
        same(parent_of(*one, slice), parent_of(*view, there->second));
        REQUIRE(children_of(*one, slice).count == children_of(*view, there->second).count);
        const auto next = next_in_row(*view, there->second);
        same(next_in_row(*one, slice), next);
        same(previous_in_row(*one, slice), previous_in_row(*view, there->second));
        parents += parent_of(*one, slice).has_value();
        across += next && view->row_of(*next) != view->row_of(there->second);
      }
    }
  }
  CHECK(parents > 20);
  CHECK(across > 2);
}

TEST_CASE("neighbours: results equal those of a linear scan") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    CAPTURE(name(shape_of(seed)));
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    Random random(seed);
    for (std::size_t l = 0; l < trace->lanes.size(); l += 1 + trace->lanes.size() / 8) {
      const Lane& lane = trace->lanes[l];
      // Begin order, outer rows first.
      std::vector<std::tuple<Ns, std::size_t, SliceId>> order;
      for (std::size_t r = lane.first_row; r < std::size_t{lane.first_row} + lane.row_count; ++r) {
        const RowSlices row = trace->slices_of(trace->rows[r]);
        for (std::size_t i = 0; i < row.size(); ++i) order.emplace_back(row.begin(i), r, row.id(i));
      }
      std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
      });
      for (int i = 0; i < 20 && !order.empty(); ++i) {
        const std::size_t at = random.next() % order.size();
        const SliceId slice = std::get<2>(order[at]);
        const auto next = next_in_lane(*trace, slice), previous = previous_in_lane(*trace, slice);
        REQUIRE(next == (at + 1 < order.size() ? std::optional(std::get<2>(order[at + 1])) : std::nullopt));
        REQUIRE(previous == (at > 0 ? std::optional(std::get<2>(order[at - 1])) : std::nullopt));
      }

      // Parents by brute force, per slot. Among equal slices, rows decide which is the parent.
      const auto slots = oracle::slices_of(*trace, lane);
      if (slots.ids.empty()) continue;
      const Row& some_row = trace->row(trace->row_of(slots.ids[random.next() % slots.ids.size()]));
      auto slot = oracle::slices_of(*trace, lane, some_row.slot);
      if (slot.ids.size() > 400) continue;
      const auto parents = oracle::parents(slot.items());
      std::vector<std::uint64_t> children(slot.ids.size(), 0);
      for (std::size_t i = 0; i < slot.ids.size(); ++i) {
        const auto parent = parent_of(*trace, slot.ids[i]);
        REQUIRE(parent.has_value() == parents[i].has_value());
        if (!parent) continue;
        REQUIRE(*parent == slot.ids[*parents[i]]);
        ++children[*parents[i]];
      }
      for (std::size_t i = 0; i < slot.ids.size(); ++i) {
        const Children found = children_of(*trace, slot.ids[i]);
        REQUIRE(found.count == children[i]);
        REQUIRE(found.first.has_value() == (children[i] > 0));
        if (found.first) REQUIRE(parent_of(*trace, *found.first) == slot.ids[i]);
      }
    }
  }
}
