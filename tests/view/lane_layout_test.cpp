#include "core/view/lanes/lane_layout.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/view/lanes/row_choice.h"
#include "tests/support/gen_segments.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

using Part = LaneLayout::Place::Part;

// process
//   a   two rows, instants
//   b   one row, counter
std::shared_ptr<const Trace> small_trace() {
  TraceSketch sketch;
  sketch.lane("a", RowRule::Nest).lane("b", RowRule::Nest);
  sketch.slice("a", 0, 100).slice("a", 10, 10).instant("a", 50);
  sketch.slice("b", 0, 100).sample("b", 0, 1);
  return sketch.build();
}

LaneMetrics metrics() {
  LaneMetrics out;
  out.group_header = 20;
  out.lane_header = 5;
  out.row = 10;
  out.instants = 6;
  out.counter = 30;
  out.summary = 12;
  out.gap = 2;
  return out;
}

std::shared_ptr<const Trace> groups_of_lanes(int groups, int lanes) {
  TraceSketch sketch;
  for (int g = 0; g < groups; ++g) {
    for (int l = 0; l < lanes; ++l) {
      LaneSpec spec;
      const std::string track = std::to_string(g) + "/" + std::to_string(l);
      spec.path = {{"rank " + std::to_string(g)}, {"thread " + std::to_string(l)}};
      sketch.lane(track, spec).slice(track, 0, 10);
    }
  }
  return sketch.build();
}

}  // namespace

TEST_CASE("lane_layout: boxes are stacked from top to bottom") {
  const auto trace = small_trace();
  const LaneLayout layout(*trace, {}, metrics());
  REQUIRE(layout.boxes().size() == 3);
  const LaneBox &process = layout.boxes()[0], &a = layout.boxes()[1], &b = layout.boxes()[2];
  CHECK(process.height == 20);
  CHECK(process.group);
  CHECK(a.y == 22);
  CHECK(a.rows_y() == 27);
  CHECK(a.line_y(1) == 37);
  CHECK(a.instants_y() == 47);
  CHECK(a.height == 5 + 20 + 6);
  CHECK(b.y == 22 + 31 + 2);
  CHECK(b.counter_y() == b.y + 15);
  CHECK(b.height == 5 + 10 + 30);
  CHECK(layout.height() == b.bottom() + 2);
}

TEST_CASE("lane_layout: a height maps to the part of a lane that is there") {
  const auto trace = small_trace();
  const LaneLayout layout(*trace, {}, metrics());
  const auto part_at = [&](double y) { return layout.at(y)->part; };
  CHECK(layout.at(-1) == std::nullopt);
  CHECK(layout.at(layout.height()) == std::nullopt);
  CHECK(part_at(0) == Part::Header);
  CHECK(part_at(21) == Part::Gap);
  CHECK(part_at(22) == Part::Header);
  CHECK(part_at(27) == Part::Row);
  CHECK(layout.at(36.9)->row == RowId{0});
  CHECK(layout.at(37)->row == RowId{1});
  CHECK(part_at(47) == Part::Instants);
  CHECK(layout.at(48)->row == RowId{2});
  CHECK(idx(layout.at(48)->lane) == 1);
  CHECK(part_at(layout.boxes()[2].counter_y()) == Part::Counter);
}

TEST_CASE("lane_layout: a collapsed lane is one summary row") {
  const auto trace = small_trace();
  LaneState state;
  toggle_lane(*trace, id_at<LaneId>(1), state);
  const LaneLayout layout(*trace, state, metrics());
  CHECK(layout.boxes().size() == 3);
  CHECK(layout.boxes()[1].height == 12);
  CHECK(layout.at(layout.boxes()[1].y)->part == Part::Summary);
  CHECK(layout.middle_of(*trace, RowId{1}) == layout.boxes()[1].y + 6);
}

TEST_CASE("lane_layout: a collapsed group stands for its lanes") {
  const auto trace = small_trace();
  LaneState state;
  toggle_lane(*trace, id_at<LaneId>(0), state);
  const LaneLayout layout(*trace, state, metrics());
  CHECK(layout.boxes().size() == 1);
  CHECK(&layout.box_of(id_at<LaneId>(2)) == &layout.boxes()[0]);
  reveal_lane(*trace, id_at<LaneId>(2), state);
  CHECK(LaneLayout(*trace, state, metrics()).boxes().size() == 3);
}

TEST_CASE("lane_layout: what the user collapsed stays collapsed in the next snapshot") {
  TraceSketch sketch;
  sketch.lane("b", RowRule::Nest).slice("b", 0, 10);
  const auto before = sketch.build();
  LaneState state;
  toggle_lane(*before, id_at<LaneId>(1), state);
  sketch.lane("a", RowRule::Nest).slice("a", 0, 10);
  const auto after = sketch.build();
  const LaneLayout layout(*after, state, metrics());
  CHECK_FALSE(layout.boxes()[1].collapsed);
  CHECK(layout.boxes()[2].collapsed);
  CHECK(lane_keys(*after)[2] == "process\x1f" "b");
}

TEST_CASE("lane_layout: lanes of the same name collapse independently") {
  TraceSketch sketch;
  for (const std::string track : {"1", "2"}) {
    LaneSpec spec;
    spec.path = {{"process"}, {"worker"}};
    spec.path[1].key = track;
    sketch.lane(track, spec).slice(track, 0, 10);
  }
  const auto trace = sketch.build();
  REQUIRE(trace->lanes.size() == 3);
  REQUIRE(trace->lanes[1].name == trace->lanes[2].name);
  LaneState state;
  toggle_lane(*trace, id_at<LaneId>(2), state);
  const LaneLayout layout(*trace, state, metrics());
  CHECK_FALSE(layout.boxes()[1].collapsed);
  CHECK(layout.boxes()[2].collapsed);
}

TEST_CASE("lane_layout: few lanes are all shown, but of many only the first groups are open") {
  CHECK(LaneLayout(*groups_of_lanes(5, 11), {}, metrics()).boxes().size() == 60);
  const auto many = groups_of_lanes(100, 11);
  const LaneLayout layout(*many, {}, metrics());
  CHECK(layout.boxes().size() <= 100 + kManyLanes);
  CHECK_FALSE(layout.boxes()[0].collapsed);
  CHECK(layout.boxes().back().collapsed);
}

TEST_CASE("lane_layout: the first group is open, however large") {
  const auto trace = groups_of_lanes(2, 200);
  const LaneLayout layout(*trace, {}, metrics());
  CHECK(layout.boxes().size() == 1 + 200 + 1);
}

TEST_CASE("lane_layout: all lanes can be expanded and collapsed") {
  const auto trace = groups_of_lanes(100, 11);
  LaneState state;
  set_all_collapsed(*trace, false, state);
  CHECK(LaneLayout(*trace, state, metrics()).boxes().size() == 1'200);
  set_all_collapsed(*trace, true, state);
  CHECK(LaneLayout(*trace, state, metrics()).boxes().size() == 100);
}

TEST_CASE("lane_layout: 512 requests get small rows, and their height scales") {
  TraceSketch sketch;
  sketch.lane("requests", RowRule::Pack, LaneKind::Requests);
  for (int i = 0; i < 512; ++i) sketch.slice("requests", i, 10'000, "request", std::to_string(i));
  const auto trace = sketch.build();
  LaneState state;
  CHECK(LaneLayout(*trace, state, metrics()).boxes()[1].row_height == 4);
  state.row_scale = 2;
  CHECK(LaneLayout(*trace, state, metrics()).boxes()[1].row_height == 8);
  CHECK(LaneLayout(*trace, {}, metrics().scaled(2)).boxes()[1].row_height == 8);
}

TEST_CASE("lane_layout: stacks have full rows, packed lanes only if all rows fit or slices are wide") {
  TraceSketch sketch;
  sketch.lane("python", RowRule::Nest).lane("requests", RowRule::Pack, LaneKind::Requests);
  for (int i = 0; i < 60; ++i) sketch.slice("python", i, 1'000 - 2 * i);
  for (int i = 0; i < 200; ++i) sketch.slice("requests", i, 10'000, "request", std::to_string(i));
  const auto trace = sketch.build();
  const auto heights = [&](const RowRoom& room, const LaneState& state = {}) {
    const LaneLayout layout(*trace, state, metrics(), room);
    return std::pair(layout.boxes()[1].row_height, layout.boxes()[2].row_height);
  };
  CHECK(heights({}) == std::pair(10.0f, 4.0f));
  CHECK(heights({500, 1'000}) == std::pair(10.0f, 4.0f));
  CHECK(heights({3'000, 1'000}) == std::pair(10.0f, 10.0f));  // 260 rows of 10 pixels
  CHECK(heights({500, 250}) == std::pair(10.0f, 10.0f));      // a request is 40 pixels wide
  CHECK(heights({500, 250.1}) == std::pair(10.0f, 4.0f));
  const LaneLayout compact(*trace, {}, metrics(), {500, 1'000}), full(*trace, {}, metrics(), {500, 100});
  CHECK(compact.holds_at(1e9));
  CHECK(compact.holds_at(251));
  CHECK_FALSE(compact.holds_at(250));
  CHECK(full.holds_at(250));
  CHECK(full.holds_at(1));
  CHECK_FALSE(full.holds_at(251));
}

TEST_CASE("lane_layout: row sizes are set per lane or group, and reset for all") {
  const auto trace = small_trace();
  LaneState state;
  const auto height = [&](std::size_t lane) { return LaneLayout(*trace, state, metrics()).boxes()[lane].row_height; };
  const LaneId a = id_at<LaneId>(1);
  cycle_row_size(*trace, a, RowSize::Normal, state);
  CHECK(height(1) == metrics().tall_row);
  CHECK(height(2) == 10);
  cycle_row_size(*trace, a, RowSize::Tall, state);
  CHECK(height(1) == metrics().compact_row_most);
  cycle_row_size(*trace, a, RowSize::Compact, state);
  CHECK(height(1) == 10);
  cycle_row_size(*trace, id_at<LaneId>(0), RowSize::Normal, state);  // the group: all in it
  CHECK(height(1) == metrics().tall_row);
  CHECK(height(2) == metrics().tall_row);
  state.row_scale = row_scale(3);
  CHECK(height(2) > metrics().tall_row);
  reset_rows(state);
  CHECK(height(1) == 10);
  CHECK(height(2) == 10);
}

TEST_CASE("lane_layout: eight steps up and eight down restore the row scale") {
  for (const float at : {0.0f, -8.0f, 2.0f}) {
    float steps = at;
    for (int i = 0; i < 8; ++i) steps = std::clamp(steps + 1, kLeastSteps, kMostSteps);
    for (int i = 0; i < 8; ++i) steps = std::clamp(steps - 1, kLeastSteps, kMostSteps);
    CHECK(row_scale(steps) == row_scale(at));
  }
  CHECK(row_scale(0) == 1);
  CHECK(row_scale(8) > 3);
}

TEST_CASE("lane_layout: a cut lane shows its outer rows, and deeper rows are placed at the last of them") {
  TraceSketch sketch;
  sketch.lane("a stack", RowRule::Nest).lane("requests", RowRule::Pack, LaneKind::Requests);
  for (int i = 0; i < 5; ++i) sketch.slice("a stack", i, 100 - 2 * i);
  sketch.instant("a stack", 50);
  for (int i = 0; i < 3; ++i) {
    sketch.slice("requests", i, 100, "request", std::to_string(i)).slice("requests", i + 10, 20, "turn", std::to_string(i));
  }
  const auto trace = sketch.build();
  LaneState state;
  const LaneId stack = id_at<LaneId>(1), requests = id_at<LaneId>(2);
  toggle_depth_limit(*trace, stack, 2, state);
  toggle_depth_limit(*trace, requests, 1, state);
  const LaneLayout layout(*trace, state, metrics());
  const LaneBox &a = layout.boxes()[1], &b = layout.boxes()[2];
  CHECK(a.line_count == 2);
  CHECK(a.hidden_lines == 3);
  CHECK(layout.at(a.instants_y() + 1)->row == RowId{5});
  CHECK(layout.middle_of(*trace, RowId{4}) == layout.middle_of(*trace, RowId{1}));
  CHECK(layout.is_cut(*trace, RowId{4}));
  CHECK_FALSE(layout.is_cut(*trace, RowId{1}));
  CHECK_FALSE(layout.is_cut(*trace, RowId{5}));  // instants
  REQUIRE(b.line_count == 3);
  for (std::uint32_t n = 0; n < 3; ++n) {
    CHECK(trace->row(layout.row_at(b, n)).depth == 0);
    CHECK(layout.at(b.line_y(n) + 1)->row == layout.row_at(b, n));
    CHECK(layout.middle_of(*trace, layout.row_at(b, n)) == b.line_y(n) + 5);
  }
  toggle_depth_limit(*trace, stack, 1, state);
  CHECK(LaneLayout(*trace, state, metrics()).boxes()[1].line_count == 5);
}

TEST_CASE("lane_layout: rows of consecutive segments share a line, in cut lanes too") {
  std::size_t shared = 0, cut = 0;
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    const Ns apart = seed % 3 == 0 ? kCloseTogether : kInRuns;
    const auto view = compose(segments_of(seed, 2 + seed % 3, true, apart)).value();
    Random random(seed);
    LaneState state;
    for (std::size_t l = 0; l < view->lanes.size(); ++l) {
      if (random.chance(0.3)) toggle_depth_limit(*view, id_at<LaneId>(l), 1, state);
    }
    const LaneLayout layout(*view, state, metrics());
    for (const LaneBox& box : layout.boxes()) {
      if (box.collapsed) continue;
      std::vector<RowId> drawn;
      for (std::uint32_t n = 0; n < box.line_count; ++n) {
        Ns until = std::numeric_limits<Ns>::min();
        const RowId first = layout.row_at(box, n);
        layout.for_each_row(*view, box, n, view->extent, [&](RowId id) {
          const RowSlices slices = view->slices_of(view->row(id));
          REQUIRE(view->row(id).slot == view->row(first).slot);
          REQUIRE(view->row(id).depth == view->row(first).depth);
          REQUIRE(slices.begin(0) >= until);
          until = slices.end(slices.size() - 1);
          shared += id != first;
          REQUIRE(layout.middle_of(*view, id) == box.line_y(n) + static_cast<double>(box.row_height) / 2);
          REQUIRE_FALSE(layout.is_cut(*view, id));
          drawn.push_back(id);
        });
      }
      for (const RowId id : IdRange<RowId>(box.first_row, box.slice_rows)) {
        if (std::ranges::find(drawn, id) != drawn.end()) continue;
        REQUIRE(layout.is_cut(*view, id));
        REQUIRE(box.hidden_lines > 0);
        ++cut;
      }
      REQUIRE(box.instants().size() == view->lane(box.lane).row_count - box.slice_rows);
    }
  }
  CHECK(shared > 20);
  CHECK(cut > 4);
}

TEST_CASE("lane_layout: every height maps to its box, and every range to its boxes") {
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    Random random(seed);
    LaneState state;
    for (std::size_t l = 0; l < trace->lanes.size(); ++l) {
      if (random.chance(0.2)) toggle_lane(*trace, id_at<LaneId>(l), state);
    }
    const LaneLayout layout(*trace, state, metrics());
    for (int i = 0; i < 50; ++i) {
      const double y = random.unit() * layout.height(), y1 = y + random.unit() * 200;
      const auto place = layout.at(y);
      REQUIRE(place);
      const LaneBox& box = layout.box_of(place->lane);
      REQUIRE(box.y <= y);
      REQUIRE(y < box.bottom() + 2);
      if (place->part == Part::Row) {
        REQUIRE(trace->row(place->row).lane == place->lane);
        REQUIRE(std::abs(layout.middle_of(*trace, place->row) - y) <=
                static_cast<double>(box.row_height) / 2);
      }
      std::size_t between = 0;
      for (const LaneBox& candidate : layout.boxes()) between += candidate.y < y1 && candidate.bottom() > y;
      REQUIRE(layout.boxes_between(y, y1).size() == between);
    }
  }
}

TEST_CASE("lane_layout: lanes of a group are sorted by weight, greatest first, those without one last") {
  const auto trace = groups_of_lanes(3, 2);  // ranks 0, 1, 2 of two threads each
  LaneState state;
  state.weight.assign(trace->lanes.size(), std::nan(""));
  state.weight[3] = 1;  // rank 1
  state.weight[6] = 2;  // rank 2
  state.weight[5] = 7;  // rank 1's second thread
  const LaneLayout layout(*trace, state, metrics());
  std::vector<std::size_t> order;
  double y = 0;
  for (const LaneBox& box : layout.boxes()) {
    order.push_back(idx(box.lane));
    CHECK(box.y == y);
    y = box.bottom() + 2;
  }
  CHECK(order == std::vector<std::size_t>{6, 7, 8, 3, 5, 4, 0, 1, 2});
  for (std::size_t l = 0; l < trace->lanes.size(); ++l) CHECK(idx(layout.box_of(id_at<LaneId>(l)).lane) == l);
  // Collapsed, a group stands for its lanes at its place.
  toggle_lane(*trace, id_at<LaneId>(6), state);
  const LaneLayout folded(*trace, state, metrics());
  CHECK(idx(folded.boxes().front().lane) == 6);
  CHECK(idx(folded.boxes()[1].lane) == 3);
  CHECK(idx(folded.box_of(id_at<LaneId>(8)).lane) == 6);
  state.weight.pop_back();  // weights of another trace are ignored
  CHECK(idx(LaneLayout(*trace, state, metrics()).boxes().front().lane) == 0);
}

TEST_CASE("lane layout: a filter keeps lanes with all its words in their path, and their groups") {
  const auto trace = groups_of_lanes(12, 2);  // rank 0 (lane 0) with threads 0 and 1, rank 1 (lane 3), ...
  const auto shown = [&](const LaneState& state) {
    std::vector<std::size_t> out;
    const LaneLayout layout(*trace, state, metrics());
    for (const LaneBox& box : layout.boxes()) out.push_back(idx(box.lane));
    return out;
  };
  LaneState state;
  state.filter = "rank 1  ";
  CHECK(shown(state) == std::vector<std::size_t>{3, 4, 5});  // not rank 10, nor thread 1 of rank 0
  state.filter = " RANK 1 Thread 1";
  CHECK(shown(state) == std::vector<std::size_t>{3, 5});
  state.filter = "1 rank";  // any 1
  CHECK(shown(state).size() > 12);
  state.filter = "rank 1 thread 1";
  const LaneLayout layout(*trace, state, metrics());
  CHECK(layout.shows(id_at<LaneId>(5)));
  CHECK(!layout.shows(id_at<LaneId>(4)));
  CHECK(!layout.shows(id_at<LaneId>(0)));
  set_all_collapsed(*trace, true, state);
  CHECK(shown(state) == std::vector<std::size_t>{3, 5});  // matches stay visible in a collapsed group
  set_all_collapsed(*trace, false, state);
  state.filter = "no lane is called that";
  CHECK(shown(state).empty());
  reveal_lane(*trace, id_at<LaneId>(1), state);  // a search hit outside clears the filter
  CHECK(state.filter.empty());
  CHECK(shown(state).size() == trace->lanes.size());
}

TEST_CASE("lane_layout: rows grow if the window has room to spare and all lanes still fit") {
  TraceSketch sketch;
  for (int lane = 0; lane < 4; ++lane) sketch.slice("lane " + std::to_string(lane), 0, 100).slice("lane " + std::to_string(lane), 0, 50);
  const auto trace = sketch.build();
  LaneState state;
  const LaneMetrics sizes;
  const LaneLayout plain(*trace, state, sizes, {500, 1});
  for (const float height : {100.0f, 180.0f, 220.0f, 300.0f, 1000.0f}) {
    CAPTURE(height);
    state.growth = plain.most_growth(sizes, height);
    CHECK(state.growth >= 1);
    const LaneLayout grown(*trace, state, sizes, {height, 1});
    if (plain.height() <= static_cast<double>(height)) CHECK(grown.height() <= static_cast<double>(height) + 0.01);
    for (const LaneBox& box : grown.boxes()) {
      if (box.line_count == 0) continue;
      CHECK(box.row_height >= sizes.row);
      CHECK(box.row_height < sizes.tall_row);
    }
  }
  CHECK(LaneLayout(*trace, state, sizes, {1000, 1}).boxes().back().row_height == doctest::Approx((sizes.row + sizes.tall_row) / 2));
  // Requested heights are kept; if not all lanes fit, rows stay as they were.
  CHECK(LaneLayout(*trace, state, sizes, {plain.height() > 150 ? 150.0f : 50.0f, 1}).boxes().back().row_height == sizes.row);
  cycle_row_size(*trace, plain.boxes().back().lane, RowSize::Tall, state);
  CHECK(LaneLayout(*trace, state, sizes, {1000, 1}).boxes().back().row_height < sizes.row);
}
