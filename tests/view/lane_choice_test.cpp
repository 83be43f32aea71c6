#include "core/view/lanes/lane_choice.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/session/load/load_job.h"
#include "core/view/lanes/lane_order.h"
#include "core/view/lanes/shown_lanes.h"
#include "core/view/lanes/sticky_headers.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

using Names = std::vector<std::string>;

// Ranks with threads 1 and 2 each. Thread 2 of rank r is busy for 10 * (r + 1); slices of rank r begin at r.
std::shared_ptr<const Trace> three_ranks(int ranks = 3) {
  TraceSketch sketch;
  for (int r = 0; r < ranks; ++r) {
    for (const int t : {1, 2}) {
      LaneSpec spec;
      spec.path = {{"rank " + std::to_string(r)}, {"thread " + std::to_string(t)}};
      const std::string track = std::to_string(r) + "/" + std::to_string(t);
      sketch.lane(track, spec).slice(track, r, t == 2 ? 10 * (r + 1) : 5);
    }
  }
  return sketch.build();
}

// Lanes from the top; "0.1" is thread 1 of rank 0, "0" its group.
Names shown(const Trace& trace, const LaneState& state) {
  Names out;
  for (const ShownLane& each : shown_lanes(trace, state).lanes) {
    const auto path = trace.path_of(each.lane);
    std::string name = path[0].substr(5);
    if (path.size() > 1) name += "." + path[1].substr(7);
    out.push_back((each.pinned ? "^" : "") + name + (each.collapsed ? "+" : ""));
  }
  return out;
}

LaneId lane(int rank, int thread = 0) { return id_at<LaneId>(static_cast<std::size_t>(3 * rank + thread)); }

void toggle(const Trace& trace, LaneId which, LaneState& state) { toggle_pinned(trace, std::vector{which}, state); }

}  // namespace

TEST_CASE("lane_choice: pinned lanes are at the top only, in the order of pinning") {
  const auto trace = three_ranks();
  LaneState state;
  toggle(*trace, lane(2, 1), state);
  toggle(*trace, lane(0, 2), state);
  CHECK(shown(*trace, state) == Names{"^2.1", "^0.2", "0", "0.1", "1", "1.1", "1.2", "2", "2.2"});
  const LaneLayout layout(*trace, state, LaneMetrics{});
  CHECK(layout.pinned_height() == layout.boxes()[2].y);
  CHECK(layout.title(*trace, layout.boxes()[0]) == "rank 2 / thread 1");
  CHECK(layout.box_of(lane(2, 1)).pinned);
  CHECK(is_pinned(*trace, lane(2, 1), state));
  state.filter = "rank 1";  // pinned lanes stay
  CHECK(shown(*trace, state) == Names{"^2.1", "^0.2", "1", "1.1", "1.2"});
  state.filter.clear();
  toggle(*trace, lane(2, 1), state);
  CHECK(shown(*trace, state) == Names{"^0.2", "0", "0.1", "1", "1.1", "1.2", "2", "2.1", "2.2"});
  toggle(*trace, lane(1), state);  // a group, with all its lanes
  CHECK(shown(*trace, state) == Names{"^0.2", "^1", "^1.1", "^1.2", "0", "0.1", "2", "2.1", "2.2"});
}

TEST_CASE("lane_choice: lanes can be hidden, inverted, isolated and all shown again") {
  const auto trace = three_ranks();
  LaneState state;
  hide_lanes(*trace, std::vector{lane(0), lane(1, 2)}, state);
  CHECK(shown(*trace, state) == Names{"1", "1.1", "2", "2.1", "2.2"});
  CHECK(text(count_lanes(*trace, state)) == "3 hidden");
  invert_lanes(*trace, state);
  CHECK(shown(*trace, state) == Names{"0", "0.1", "0.2", "1", "1.2"});
  show_all_lanes(state);
  CHECK(shown(*trace, state).size() == 9);
  CHECK(text(count_lanes(*trace, state)).empty());
  isolate_lanes(*trace, std::vector{lane(1, 1), lane(2)}, state);
  CHECK(shown(*trace, state) == Names{"1", "1.1", "2", "2.1", "2.2"});
  CHECK(count_lanes(*trace, state).hidden == 3);
  hide_lanes(*trace, std::vector{lane(2, 1)}, state);
  CHECK(shown(*trace, state) == Names{"1", "1.1", "2", "2.2"});
  reveal_lane(*trace, lane(0, 2), state);  // a search hit in a lane that is not shown
  CHECK(shown(*trace, state) == Names{"0", "0.2", "1", "1.1", "2", "2.2"});
  hide_lanes(*trace, std::vector{lane(0), lane(1), lane(2)}, state);
  CHECK(shown(*trace, state).empty());
  CHECK(LaneLayout(*trace, state, LaneMetrics{}).height() == 0);
}

TEST_CASE("lane_choice: revealing a group whose lanes are all hidden shows all of them") {
  const auto trace = three_ranks();
  LaneState state;
  hide_lanes(*trace, std::vector{lane(0, 1), lane(0, 2), lane(1, 1)}, state);
  CHECK(shown(*trace, state) == Names{"1", "1.2", "2", "2.1", "2.2"});
  reveal_lane(*trace, lane(1), state);  // partly shown already
  CHECK(shown(*trace, state) == Names{"1", "1.2", "2", "2.1", "2.2"});
  reveal_lane(*trace, lane(0), state);
  CHECK(shown(*trace, state) == Names{"0", "0.1", "0.2", "1", "1.2", "2", "2.1", "2.2"});
}

TEST_CASE("lane_choice: from any state, a revealed lane is shown, and of a revealed group at least a part") {
  for (const std::uint64_t seed : seeds(200)) {
    CAPTURE(seed);
    Random random(seed);
    const auto trace = three_ranks();
    const auto any = [&] { return id_at<LaneId>(static_cast<std::size_t>(random.in(0, 8))); };
    LaneState state;
    for (int i = 0; i < 12; ++i) {
      const LaneId at = any();
      switch (random.in(0, 5)) {
        case 0: toggle(*trace, at, state); break;
        case 1: toggle_lane(*trace, at, state); break;
        case 2: hide_lanes(*trace, std::vector{at}, state); break;
        case 3: isolate_lanes(*trace, std::vector{at}, state); break;
        case 4: state.filter = random.chance(0.5) ? "rank 1" : "!thread 2"; break;
        default: state.overview.push_back({lane_keys(*trace)[idx(at)], random.chance(0.5), 0});
      }
      const LaneId wanted = any();
      LaneState then = state;
      reveal_lane(*trace, wanted, then);
      const LaneLayout layout(*trace, then, LaneMetrics{});
      bool some = false;
      for (std::size_t l = idx(wanted); l < idx(trace->lane(wanted).subtree_end); ++l) some |= layout.shows(id_at<LaneId>(l));
      CHECK(some);
      if (trace->lane(wanted).row_count > 0) CHECK(layout.shows(wanted));
    }
  }
}

TEST_CASE("lane_choice: choices carry over to the next snapshot, whose lanes have other ids") {
  const auto before = three_ranks(2), after = three_ranks(5);
  LaneState state;
  toggle(*before, lane(1, 2), state);
  hide_lanes(*before, std::vector{lane(0, 1)}, state);
  TraceSketch other;
  other.lane("new", RowRule::Nest).slice("new", 0, 10);
  CHECK(shown_lanes(*other.build(), state).lanes.size() == 2);  // none of the chosen lanes exist there
  CHECK(shown(*after, state) ==
        Names{"^1.2", "0", "0.2", "1", "1.1", "2", "2.1", "2.2", "3", "3.1", "3.2", "4", "4.1", "4.2"});
}

TEST_CASE("lane_choice: groups are opened down to a level") {
  const auto trace = three_ranks();
  LaneState state;
  CHECK(open_levels(*trace, state) == 2);
  open_to_level(*trace, 1, state);
  CHECK(shown(*trace, state) == Names{"0", "0.1+", "0.2+", "1", "1.1+", "1.2+", "2", "2.1+", "2.2+"});
  CHECK(open_levels(*trace, state) == 1);
  open_to_level(*trace, 0, state);
  CHECK(shown(*trace, state) == Names{"0+", "1+", "2+"});
  CHECK(open_levels(*trace, state) == 0);
  open_to_level(*trace, deepest_level(*trace), state);
  CHECK(shown(*trace, state).size() == 9);
}

TEST_CASE("lane_choice: a lane is dragged among its siblings, a group with all its lanes") {
  const auto trace = three_ranks();
  LaneState state;
  const auto drag = [&](LaneId which, LaneId before) {
    drag_lane(*trace, LaneLayout(*trace, state, LaneMetrics{}), which, before, state);
  };
  drag(lane(2), lane(0));
  CHECK(shown(*trace, state) == Names{"2", "2.1", "2.2", "0", "0.1", "0.2", "1", "1.1", "1.2"});
  drag(lane(0, 1), kNone<LaneId>);
  CHECK(shown(*trace, state) == Names{"2", "2.1", "2.2", "0", "0.2", "0.1", "1", "1.1", "1.2"});
  drag(lane(0, 1), lane(1, 1));  // the target is in another group: stays
  CHECK(shown(*trace, state)[5] == "0.1");
  CHECK(shown(*three_ranks(4), state) ==
        Names{"2", "2.1", "2.2", "0", "0.2", "0.1", "1", "1.1", "1.2", "3", "3.1", "3.2"});
  toggle(*trace, lane(1, 1), state);
  toggle(*trace, lane(1, 2), state);
  drag(lane(1, 2), lane(1, 1));
  CHECK(state.pinned.front().ends_with("thread 2"));
}

TEST_CASE("lane_order: lanes are sorted by name, begin, busy time, end or waiting time") {
  const auto trace = three_ranks(11);
  LaneState state;
  set_all_collapsed(*trace, true, state);
  const auto order = [&](LaneSort sort) {
    state.weight = lane_weights(*trace, sort);
    return shown(*trace, state);
  };
  CHECK(order(LaneSort::Name)[2] == "2+");  // not rank 10
  CHECK(order(LaneSort::Start).front() == "0+");
  CHECK(order(LaneSort::Busy).front() == "10+");
  CHECK(order(LaneSort::Busy).back() == "0+");
  CHECK(order(LaneSort::Tail).front() == "10+");
  for (std::size_t s = 0; s < kLaneSorts; ++s) {
    const auto sort = static_cast<LaneSort>(s);
    CHECK(lane_sort(name(sort)) == sort);
    CHECK(lane_weights(*trace, sort).size() == trace->lanes.size());
  }
  CHECK(lane_sort("colour") == std::nullopt);

  TraceSketch sketch;
  for (const char* track : {"a", "b"}) sketch.lane(track, RowRule::Nest);
  sketch.slice("a", 0, 1000, "aten::mm", {}, "cpu_op").slice("a", 0, 10, "cudaStreamSynchronize", {}, "cuda_runtime");
  sketch.slice("b", 0, 500, "cudaStreamSynchronize", {}, "cuda_runtime");
  const auto waiting = sketch.build();
  const std::vector<double> weights = lane_weights(*waiting, LaneSort::Wait);
  CHECK(weights[1] == 10);
  CHECK(weights[2] == 500);
  CHECK(weights[0] == 510);
}

TEST_CASE("lane_order: a worker is found even if its first request has no duration") {
  const auto line = [](std::string_view request, std::string_view duration) {
    return R"({"timestamp":"2026-05-01T09:00:05.000000","event":"async_rollout_request_complete",)" + std::string(duration) +
           R"("extra":{"request_id":")" + std::string(request) + "\"},\"workid\":0,\"step\":1}\n";
  };
  const TempDir folder;
  folder.write("exp/step_1/worker_0.jsonl", line("aaaa", "") + line("bbbb", R"("duration_sec":2,)"));
  const auto rollout = make_rollout(load_snapshot({folder.path()}, test_pool())->trace, test_pool());
  REQUIRE(rollout->size() == 2);
  CHECK(rollout->slice[0] == kNone<SliceId>);
  const std::vector<double> weights = worker_lane_weights(*rollout, HeatMeasure::Requests, 0);
  CHECK(std::ranges::count(weights, 2.0) == 1);  // its group
  CHECK(std::ranges::count_if(weights, [](double weight) { return std::isnan(weight); }) == std::ssize(weights) - 1);
}

TEST_CASE("sticky_headers: a group header stays while its lanes are in view, until the next pushes it out") {
  const auto trace = three_ranks();
  LaneMetrics metrics;
  metrics.gap = 0;
  const LaneLayout layout(*trace, {}, metrics);  // each group: header of 22, two lanes of 18
  std::vector<StickyHeader> sticky;
  const auto at = [&](double scroll) {
    sticky_headers(*trace, layout, scroll, sticky);
    return sticky.empty() ? std::string("none")
                          : trace->lane(sticky[0].lane).name + " at " + std::to_string(std::lround(sticky[0].y));
  };
  CHECK(at(0) == "none");
  CHECK(at(1) == "rank 0 at 0");
  CHECK(at(30) == "rank 0 at 0");
  CHECK(at(50) == "rank 0 at -14");  // rank 1 begins at 58
  CHECK(at(58) == "none");
  CHECK(at(60) == "rank 1 at 0");
  LaneState folded;
  set_all_collapsed(*trace, true, folded);
  sticky_headers(*trace, LaneLayout(*trace, folded, metrics), 10, sticky);
  CHECK(sticky.empty());
}

TEST_CASE("sticky_headers: nested groups are stacked, outermost first") {
  TraceSketch sketch;
  for (const std::string gpu : {"GPU 0", "GPU 1"}) {
    for (const std::string stream : {"stream 1", "stream 2"}) {
      LaneSpec spec;
      spec.path = {{"rank 0"}, {gpu}, {stream}};
      sketch.lane(gpu + stream, spec).slice(gpu + stream, 0, 10);
    }
  }
  const auto trace = sketch.build();
  LaneMetrics metrics;
  metrics.gap = 0;
  const LaneLayout layout(*trace, {}, metrics);
  std::vector<StickyHeader> sticky;
  for (double y = 0; y < layout.height(); y += 1) {
    CAPTURE(y);
    sticky_headers(*trace, layout, y, sticky);
    REQUIRE(sticky.size() <= 2);
    for (std::size_t i = 0; i < sticky.size(); ++i) {
      CHECK(trace->lane(sticky[i].lane).depth == i);
      CHECK(sticky[i].y <= static_cast<float>(22 * i));
    }
  }
  sticky_headers(*trace, layout, 30, sticky);
  REQUIRE(sticky.size() == 2);
  CHECK(trace->lane(sticky[1].lane).name == "GPU 0");
}
