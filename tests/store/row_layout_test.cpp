#include "core/store/trace/row_layout.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "core/store/draft/event_batch.h"
#include "tests/store/laid_out.h"
#include "tests/support/gen_trace.h"
#include "tests/support/oracles.h"

using namespace tv;
using namespace tv::test;

namespace {

using Rows = std::vector<std::uint32_t>;

// Returns the fault of the stack; empty if there is none. A slice of the stack is in its top row, or a slice in the row above
// contains at least fifteen sixteenths of it. A slice that overlaps one of the stack is in a row below the stack.
std::string holes(const Laid& laid) {
  const auto& row = laid.layout.row;
  const std::size_t n = laid.begin.size();
  const auto contains = [&](std::size_t a, std::size_t b) {
    const Ns beyond = laid.begin[b] + laid.duration[b] - laid.begin[a] - laid.duration[a];
    return a != b && laid.begin[a] <= laid.begin[b] && beyond <= laid.duration[b] / 16;
  };
  const auto on = [&](std::uint32_t r, std::size_t b) {
    for (std::size_t a = 0; a < n; ++a) {
      if (row[a] == r && contains(a, b)) return true;
    }
    return false;
  };
  std::uint32_t stack = 0;  // its deepest row + 1
  for (std::uint32_t r = 0; r < laid.layout.rows.size(); ++r) {
    bool touches = r == 0;
    for (std::size_t b = 0; b < n && r > 0; ++b) touches = touches || (row[b] == r && on(r - 1, b));
    if (!touches) break;
    stack = r + 1;
  }
  for (std::size_t b = 0; b < n; ++b) {
    if (row[b] > 0 && row[b] < stack && !on(row[b] - 1, b)) return "item " + std::to_string(b) + " hangs in the air";
  }
  return {};
}

}  // namespace

TEST_CASE("row_layout: no slices give no rows") {
  const Laid laid = lay_out({});
  CHECK(laid.layout.rows.empty());
  CHECK(laid.layout.busy == 0);
}

// The named cases are those of Perfetto's same_ts_* tests.
TEST_CASE("row_layout: a zero-length slice at the end of another shares its row") {
  const Laid laid = lay_out({{1000, 100}, {1100, 0}});
  CHECK(laid.depths() == Rows{0, 0});
  CHECK(laid.layout.overlaps == 0);
}

TEST_CASE("row_layout: back to back slices share a row") {
  CHECK(lay_out({{1000, 100}, {1100, 100}}).depths() == Rows{0, 0});
}

TEST_CASE("row_layout: a zero-length slice at the begin of a longer one nests, whichever comes first in the file") {
  CHECK(lay_out({{1000, 0}, {1000, 100}}).depths() == Rows{1, 0});
  CHECK(lay_out({{1000, 100}, {1000, 0}}).depths() == Rows{0, 1});
}

TEST_CASE("row_layout: two zero-length slices at one time nest, so that both stay visible") {
  const Laid laid = lay_out({{1000, 0}, {1000, 0}});
  CHECK(laid.depths() == Rows{0, 1});
  CHECK(laid.layout.overlaps == 0);
}

TEST_CASE("row_layout: equal slices nest in file order") {
  const Laid laid = lay_out({{0, 10}, {0, 10}, {0, 10}});
  CHECK(laid.depths() == Rows{0, 1, 2});
  CHECK(laid.self == std::vector<Ns>{0, 0, 10});
}

TEST_CASE("row_layout: a partial overlap takes an extra row and is counted") {
  const Laid laid = lay_out({{0, 100}, {50, 100}, {60, 20}});
  CHECK(laid.depths() == Rows{0, 2, 1});
  // The third is a child of the second, the last to begin around it, and reduces its self time.
  CHECK(laid.layout.overlaps == 1);
  CHECK(laid.layout.first_overlap == 1);
  CHECK(laid.self == std::vector<Ns>{100, 80, 20});
  CHECK(laid.layout.busy == 150);
}

TEST_CASE("row_layout: a small call in which a longer range begins moves below it, with its callees") {
  // main, profiler.step, what it called before and when the range began, ProfilerStep, an operator, the next step and its range
  const Laid laid = lay_out({{0, 1000}, {10, 12}, {11, 3}, {18, 4}, {20, 400}, {30, 50}, {418, 20}, {420, 500}});
  CHECK(laid.depths() == Rows{0, 3, 4, 4, 1, 2, 3, 1});
  CHECK(laid.layout.overlaps == 3);
  CHECK(laid.layout.rows.size() == 5);
  CHECK(laid.self == std::vector<Ns>{1000 - 910, 12 - 7, 3, 4, 400 - 50, 50, 20, 500});
  // A range that is not much longer, or begins well inside, goes below the stack.
  CHECK(lay_out({{0, 100}, {50, 150}}).depths() == Rows{0, 1});
  std::vector<Item> much = {{0, 100}};
  for (Ns i = 0; i < 70; ++i) much.push_back({i, 1});
  much.push_back({80, 1000});
  CHECK(lay_out(much).depths().back() == 2);
}

// The last ProfilerStep outlives its caller, and begins in a call that ends soon.
TEST_CASE("row_layout: a range that ends a little after its parent still nests below it, with its children") {
  const Laid laid = lay_out({{0, 1000}, {700, 12}, {701, 303}, {720, 200}, {730, 50}, {1010, 5}});
  CHECK(laid.depths() == Rows{0, 4, 1, 2, 3, 0});
  CHECK(laid.layout.overlaps == 1);
  CHECK(laid.self == std::vector<Ns>{1000 - 12, 12, 303 - 200, 150, 50, 5});
  CHECK(lay_out({{0, 1000}, {701, 330}, {720, 200}}).depths() == Rows{0, 2, 1});  // a tenth of it lies beyond
}

TEST_CASE("row_layout: rows left empty by slices that moved are not kept") {
  const Laid laid = lay_out({{0, 10}, {1, 8}, {2, 6}, {9, 100}});
  CHECK(laid.depths() == Rows{1, 2, 3, 0});
  CHECK(laid.layout.rows.size() == 4);
}

// Programs with ranges that begin and end within small calls.
TEST_CASE("row_layout: ranges are above the calls that begin and end them, and layout in parts agrees") {
  ThreadPool pool(3);
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Item> items;
    std::vector<std::pair<std::size_t, std::size_t>> crossed;  // range, call
    const std::function<Ns(Ns, int)> body = [&](Ns now, int depth) {
      for (std::int64_t i = random.in(1, 4); i > 0; --i) {
        now += random.in(1, 20);
        if (depth < 4 && random.chance(0.5)) {
          const std::size_t call = items.size();
          const Ns enter = now, within = random.in(1, 5), begin = now + within;
          items.push_back({enter, within + random.in(1, 5)});
          const Ns after = items.back().begin + items.back().duration;
          const std::size_t range = items.size();
          items.push_back({begin, 0});
          const Ns end = std::max(body(after + 1, depth + 1), begin + 30);
          items.push_back({end - 1, random.in(2, 8)});
          items[range].duration = end - begin;
          crossed.emplace_back(range, call);
          crossed.emplace_back(range, items.size() - 1);
          now = items.back().begin + items.back().duration;
        } else {
          items.push_back({now, random.in(1, 10)});
          now += items.back().duration;
        }
      }
      return now + 1;
    };
    for (Ns now = 0; items.size() < 300;) now = body(now + 5, 0);
    const Laid laid = lay_out(items);
    CHECK(laid.check_rows() == "");
    CHECK(holes(laid) == "");
    std::size_t upside_down = 0;
    for (const auto& [range, call] : crossed) upside_down += laid.layout.row[range] > laid.layout.row[call] ? 1 : 0;
    CHECK(upside_down == 0);
    const Laid cut = lay_out(items, RowRule::Nest, 0, pool, 7);
    CHECK(Rows(cut.layout.row.begin(), cut.layout.row.end()) == Rows(laid.layout.row.begin(), laid.layout.row.end()));
    CHECK(cut.self == laid.self);
    CHECK(cut.layout.rows.size() == laid.layout.rows.size());
  }
}

TEST_CASE("row_layout: the first row is used again after an overlap") {
  CHECK(lay_out({{0, 100}, {50, 100}, {160, 10}}).depths() == Rows{0, 1, 0});
}

TEST_CASE("row_layout: slices given in order of their ends are sorted by begin, and the longest of equal begins is first") {
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Item> items;
    for (std::int64_t i = random.in(0, 400); i > 0; --i) items.push_back({random.in(-50, 300), random.in(0, 20)});
    std::ranges::sort(items, {}, [](const Item& item) { return item.begin + item.duration; });
    const Laid laid = lay_out(items);
    Rows expected(items.size());
    std::iota(expected.begin(), expected.end(), 0u);
    std::ranges::stable_sort(expected, {}, [&](std::uint32_t i) { return std::pair(items[i].begin, -items[i].duration); });
    CHECK(Rows(laid.layout.order.begin(), laid.layout.order.end()) == expected);
  }
}

TEST_CASE("row_layout: the distance between group keys makes no difference") {
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Item> near;
    for (std::int64_t i = random.in(1, 200); i > 0; --i) {
      near.push_back({random.in(0, 1000), random.in(0, 50),
                      random.chance(0.1) ? kNoGroup : static_cast<std::uint32_t>(random.in(0, 30))});
    }
    std::vector<Item> far = near;
    for (Item& item : far) item.group = item.group == kNoGroup ? kNoGroup : 7 + item.group * 100'000'000;
    const Laid a = lay_out(near, RowRule::Pack), b = lay_out(far, RowRule::Pack);
    CHECK(a.slots() == b.slots());
    CHECK(a.depths() == b.depths());
  }
}

TEST_CASE("row_layout: self time excludes the time that children cover, counted once") {
  // 100 - union of [10,30), [20,40) = 70
  const Laid laid = lay_out({{0, 100}, {10, 20}, {20, 20}});
  CHECK(laid.self == std::vector<Ns>{70, 20, 20});
}

TEST_CASE("row_layout: a child may end after its parent within the tolerance") {
  // In microseconds, because begins within kRoundingSlack of each other are another matter (below).
  const auto us = [](Ns end, Ns tolerance) {
    return lay_out({{0, 100'000}, {50'000, end - 50'000}}, RowRule::Nest, tolerance);
  };
  CHECK(us(102'000, 2'000).layout.overlaps == 0);
  CHECK(us(102'001, 2'000).layout.overlaps == 1);
  // The child takes only the time within its parent.
  CHECK(us(102'000, 2'000).self == std::vector<Ns>{50'000, 52'000});
}

TEST_CASE("row_layout: with a tolerance a parent may begin a little after its child") {
  const Laid laid = lay_out({{1'000, 50'000}, {3'000, 100'000}}, RowRule::Nest, 1);
  CHECK(laid.depths() == Rows{1, 0});
  CHECK(laid.layout.overlaps == 0);
}

// A request, its first turn with an engine call, a tool that begins 300 ns before that turn ends, because timestamps are in
// microseconds, and the second turn, which begins 800 ns before the tool ends.
TEST_CASE("row_layout: a slice that follows another except for rounding is on the same row") {
  const Ns tool = 4 * kSecond - 300, turn = tool + kSecond - 800;
  const std::vector<Item> request = {{0, 9 * kSecond, 0}, {0, 4 * kSecond, 0},          {0, 4 * kSecond, 0},
                                     {tool, kSecond, 0},  {turn, 9 * kSecond - turn, 0}, {turn, 9 * kSecond - turn, 0}};
  for (const RowRule rule : {RowRule::Nest, RowRule::Pack}) {
    const Laid laid = lay_out(request, rule, 5 * kMillisecond);
    CHECK(laid.depths() == Rows{0, 1, 2, 1, 1, 2});
  }
  CHECK(lay_out(request).depths() != Rows{0, 1, 2, 1, 1, 2});  // not where times are exact
  // An overlap of more than rounding takes another row.
  CHECK(lay_out({{0, 9 * kSecond}, {0, 4 * kSecond}, {3 * kSecond, 5 * kSecond}}, RowRule::Nest, 5 * kMillisecond)
            .depths() == Rows{0, 1, 2});
  // A slice within the one before it never follows it.
  CHECK(lay_out({{0, 9'000'000}, {0, 5'000}, {4'000, 1'000}}, RowRule::Nest, kMillisecond).depths() == Rows{0, 1, 2});
}

TEST_CASE("row_layout: with a tolerance, begins and ends of a row are in order, and its slices overlap at most by rounding") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    const Ns span = random.one_of(std::vector<Ns>{40'000, 400'000, 4'000'000});
    std::vector<Item> items;
    for (auto n = random.in(1, 120); n > 0; --n) {
      items.push_back({random.in(0, span), random.chance(0.1) ? 0 : random.in(0, span / 4),
                       static_cast<std::uint32_t>(random.in(0, 9))});
    }
    const RowRule rule = random.chance(0.5) ? RowRule::Nest : RowRule::Pack;
    const Laid laid = lay_out(items, rule, random.in(1, 20'000));
    std::map<std::uint32_t, TimeRange> last;
    for (const std::uint32_t item : laid.layout.order) {
      const TimeRange now{laid.begin[item], laid.begin[item] + laid.duration[item]};
      const auto placed = last.try_emplace(laid.layout.row[item], now);
      TimeRange& before = placed.first->second;
      if (!placed.second) {
        REQUIRE(before.begin <= now.begin);
        REQUIRE(before.end <= now.end);
        REQUIRE(before.end - now.begin <= kRoundingSlack);
        before = now;
      }
    }
  }
}

TEST_CASE("row_layout: packing gives each group one slot, the lowest that is free") {
  const Laid laid =
      lay_out({{0, 100, 0}, {10, 10, 0}, {50, 100, 1}, {100, 50, 2}, {300, 10, 3}}, RowRule::Pack);
  CHECK(laid.slots() == Rows{0, 0, 1, 0, 0});
  CHECK(laid.depths() == Rows{0, 1, 0, 0, 0});
}

TEST_CASE("row_layout: packing zero-length slices keeps each visible") {
  const Laid laid = lay_out({{5, 0}, {5, 0}, {5, 0}}, RowRule::Pack);
  CHECK(laid.slots() == Rows{0, 1, 2});
}

TEST_CASE("row_layout: slices with more overlap than nesting allows are packed, and none is lost") {
  std::vector<Item> items;
  for (int i = 0; i < 3 * static_cast<int>(kMaxOpen); ++i) items.push_back({i, 10'000 + i});
  const Laid laid = lay_out(items);
  CHECK(laid.check_rows() == "");
  CHECK(laid.layout.rows.size() == items.size());
  CHECK(laid.layout.busy == oracle::union_length(laid.ranges()));
}

TEST_CASE("row_layout: the first slice that overlaps is reported even if as many slices are open as a stack can hold") {
  std::vector<Item> items;
  for (int i = 0; i <= static_cast<int>(kMaxOpen); ++i) items.push_back({i, 10'000 - 2 * i});
  items.push_back({5'000, 10'000});
  const Laid laid = lay_out(items);
  CHECK(laid.layout.overlaps == 1);
  CHECK(laid.layout.first_overlap == kMaxOpen + 1);
}

TEST_CASE("row_layout: nested slices are on the row of their depth, with the right self time") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Item> items;
    // Nested by construction: cuts within [begin, end) at every level.
    const auto add = [&](auto&& self, Ns begin, Ns end, int depth) -> void {
      items.push_back({begin, end - begin});
      for (Ns t = begin; depth > 0 && t < end;) {
        const Ns from = random.in(t, end), to = random.in(from, end);
        self(self, from, to, depth - 1);
        t = std::max(to, t + 1);
      }
    };
    for (Ns t = 0; t < 4; ++t) add(add, t * 100, t * 100 + 100, static_cast<int>(random.in(0, 4)));
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.next() % i]);
    const Laid laid = lay_out(items);
    const LaneItems columns{laid.begin, laid.duration, {}};
    const auto depths = oracle::depths(columns);
    REQUIRE(laid.layout.overlaps == 0);
    REQUIRE(std::equal(depths.begin(), depths.end(), laid.depths().begin()));
    REQUIRE(laid.self == oracle::self_times(columns));
    REQUIRE(laid.check_rows() == "");
  }
}

TEST_CASE(
    "row_layout: whatever overlaps, slices of one row do not, children stay below their parents, and times are right") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    const Ns span = random.one_of(std::vector<Ns>{10, 100, 10'000});
    std::vector<Item> items;
    for (auto n = random.in(1, 150); n > 0; --n)
      items.push_back({random.in(0, span), random.in(0, span / 4)});
    const Laid laid = lay_out(items);
    const LaneItems columns{laid.begin, laid.duration, {}};
    REQUIRE(laid.check_rows() == "");
    REQUIRE(laid.self == oracle::self_times(columns));
    REQUIRE(laid.layout.busy == oracle::union_length(laid.ranges()));
    REQUIRE(holes(laid) == "");
  }
}

// ProfilerStep begins in profiler calls, which are short compared with it: it encloses what follows.
TEST_CASE("row_layout: a range that outlives the small calls it began in is above them and its children") {
  const Laid laid = lay_out({{0, 1000}, {10, 40}, {12, 30}, {14, 20}, {20, 900}, {100, 700}, {150, 20}});
  CHECK(laid.depths() == Rows{0, 4, 5, 6, 1, 2, 3});
  CHECK(laid.layout.overlaps == 1);
  CHECK(laid.self == std::vector<Ns>{90, 10, 10, 20, 200, 680, 20});
}

TEST_CASE("row_layout: later slices do not nest below one that outlives its parent") {
  // forward, a collective beyond its end, ops within both, an op after forward within the collective
  const Laid laid = lay_out({{10, 300}, {20, 400}, {50, 30}, {55, 20}, {90, 30}, {330, 50}});
  CHECK(laid.depths() == Rows{0, 3, 1, 2, 1, 0});
}

TEST_CASE("row_layout: packing without groups needs as many rows as slices are open at once") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Item> items;
    for (auto n = random.in(1, 150); n > 0; --n) items.push_back({random.in(0, 1'000), random.in(0, 200)});
    const Laid laid = lay_out(items, RowRule::Pack);
    REQUIRE(laid.check_rows() == "");
    REQUIRE(laid.layout.rows.size() == oracle::max_concurrency(laid.ranges()));
    REQUIRE(laid.layout.busy == oracle::union_length(laid.ranges()));
  }
}

TEST_CASE("row_layout: slices of a group share a slot, and groups in one slot do not overlap") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Item> items;
    for (auto n = random.in(1, 150); n > 0; --n) {
      items.push_back({random.in(0, 1'000), random.in(0, 60), static_cast<std::uint32_t>(random.in(0, 30))});
    }
    const Laid laid = lay_out(items, RowRule::Pack);
    REQUIRE(laid.check_rows() == "");
    const Rows slots = laid.slots();
    std::map<std::uint32_t, TimeRange> extent;  // per group
    std::map<std::uint32_t, std::uint32_t> slot;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Item& item = items[i];
      extent.try_emplace(item.group, TimeRange{item.begin, item.begin})
          .first->second.include(item.begin, item.begin + item.duration);
      REQUIRE(slot.try_emplace(item.group, slots[i]).first->second == slots[i]);
    }
    for (const auto& [a, extent_a] : extent) {
      for (const auto& [b, extent_b] : extent) {
        if (a < b && slot[a] == slot[b]) {
          REQUIRE((extent_a.end <= extent_b.begin || extent_b.end <= extent_a.begin));
        }
      }
    }
  }
}

TEST_CASE("row_layout: of slices with the same times, the one whose record comes first is the outer one") {
  const std::vector<Ns> begin = {0, 0, 0, 10, 10}, duration = {5, 5, 5, 0, 0};
  const std::vector<ItemRef> ref = {{SourceId{0}, 0, 30},      {SourceId{0}, kRepaired, 10}, {SourceId{0}, 0, 20},
                                    {SourceId{0}, 0, 50}, {SourceId{0}, 0, 40}};
  for (const RowRule rule : {RowRule::Nest, RowRule::Pack}) {
    const std::vector<std::uint32_t> group(begin.size(), 7);
    const std::span<const std::uint32_t> groups = rule == RowRule::Pack ? std::span(group) : std::span<const std::uint32_t>();
    std::vector<Ns> self(begin.size());
    RowLayout layout;
    lay_out_rows({begin, duration, groups, ref}, rule, 0, self, layout, test_pool(), kOnePart);
    const auto depth = [&](std::size_t item) { return layout.rows[layout.row[item]].depth; };
    CHECK(depth(1) == 0);
    CHECK(depth(2) == 1);
    CHECK(depth(0) == 2);
    CHECK(depth(4) == 0);
    CHECK(depth(3) == 1);
    CHECK(self == std::vector<Ns>{5, 0, 0, 0, 0});
    lay_out_rows({begin, duration, groups}, rule, 0, self, layout, test_pool(), kOnePart);
    CHECK(depth(0) == 0);  // in the order given
    CHECK(self == std::vector<Ns>{0, 0, 5, 0, 0});
  }
}
