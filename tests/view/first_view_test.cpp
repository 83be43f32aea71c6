#include "core/view/lanes/first_view.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/view/lanes/shown_lanes.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr float kWindow = 500;

// Lanes by path; the last segment is the lane's.
struct Sketched {
  TraceSketch sketch;

  std::string add(std::vector<std::string> path, LaneKind kind, Ns begin, Ns duration, int slices = 1) {
    LaneSpec spec;
    std::string track;
    for (std::string& part : path) {
      track += "/" + part;
      spec.path.push_back({std::move(part)});
    }
    spec.kind = kind;
    sketch.lane(track, spec);
    for (int i = 0; i < slices; ++i) sketch.slice(track, begin + i * duration / slices, duration / slices);
    return track;
  }
  // As kineto has a rank: CPU threads first, then the GPU.
  void add_rank(int rank, int rows_of_stack = 1) {
    const std::string name = "rank " + std::to_string(rank);
    add({name, "python", "thread 0"}, LaneKind::Thread, 0, 1000);
    const std::string main = add({name, "python", "thread 1"}, LaneKind::Thread, 0, 1000);
    for (int depth = 1; depth < rows_of_stack; ++depth) sketch.slice(main, depth, 1000 - 2 * depth);
    const std::string gpu = add({name, "GPU " + std::to_string(rank), "stream 7"}, LaneKind::Stream, 100, 800, 50);
    add({name, "GPU " + std::to_string(rank), "stream 9"}, LaneKind::Stream, 100, 2);
    const std::string arrow = "launch " + std::to_string(rank);
    sketch.flow(main, FlowPoint::Kind::Start, 5, arrow).flow(gpu, FlowPoint::Kind::End, 105, arrow);
  }
  // As verl has a worker; `tail`: how long its requests take.
  void add_worker(int worker, Ns tail, int requests = 40) {
    const std::string name = "worker " + std::to_string(worker);
    const std::string phases = add({"rollout", name, "phases"}, LaneKind::Phases, 0, 10'000);
    sketch.slice(phases, 10, tail).slice(phases, 20, tail / 2);
    LaneSpec spec;
    spec.path = {{"rollout"}, {name}, {"requests"}};
    spec.kind = LaneKind::Requests;
    spec.rule = RowRule::Pack;
    const std::string track = "/requests of " + name;
    sketch.lane(track, spec);
    for (int r = 0; r < requests; ++r) sketch.slice(track, 10 + r, r == 0 ? tail : 1000, "request", std::to_string(r));
  }
  std::shared_ptr<const Trace> trace() const { return sketch.build(); }
};

// "rank 0/GPU 0/stream 7", an opened one with "*".
std::vector<std::string> seen(const FirstView& view) {
  std::vector<std::string> out;
  for (const OverviewLane& lane : view.lanes) {
    std::string path = lane.key;
    std::ranges::replace(path, '\x1f', '/');
    out.push_back(path + (lane.collapsed ? "" : "*"));
  }
  return out;
}

FirstView of(const Trace& trace, float height = kWindow, bool complete = true) {
  return first_view(trace, LaneMetrics{}, height, complete);
}

double shown_height(const Trace& trace, const FirstView& view) {
  LaneState state;
  state.overview = view.lanes;
  state.overview_scale = view.scale;
  return LaneLayout(trace, state, LaneMetrics{}).height();
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("first_view: of one rank streams, then the thread that launches, what is idle last") {
  Sketched run;
  run.add_rank(0, 40);
  const auto trace = run.trace();
  const Names names = seen(of(*trace));
  CHECK(names == Names{"rank 0/GPU 0/stream 7*", "rank 0/python/thread 1*", "rank 0/GPU 0/stream 9*",
                       "rank 0/python/thread 0*"});
}

TEST_CASE("first_view: while everything fits it is the tree, devices first") {
  Sketched run;
  run.add_rank(0);
  const auto trace = run.trace();
  CHECK(of(*trace).lanes.empty());
  LaneState state;
  state.first_order = first_order(*trace, true);
  Names names;
  for (const ShownLane& shown : shown_lanes(*trace, state).lanes) names.push_back(trace->lane(shown.lane).name);
  CHECK(names == Names{"rank 0", "GPU 0", "stream 7", "stream 9", "python", "thread 1", "thread 0"});
}

TEST_CASE("first_view: of several ranks the streams of all are in sight") {
  for (const int ranks : {2, 8, 20}) {
    CAPTURE(ranks);
    Sketched run;
    for (int r = 0; r < ranks; ++r) run.add_rank(r, 40);
    const auto trace = run.trace();
    const FirstView view = of(*trace);
    const Names names = seen(view);
    REQUIRE(names.size() >= static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
      CHECK(names[static_cast<std::size_t>(r)] ==
            "rank " + std::to_string(r) + "/GPU " + std::to_string(r) + "/stream 7*");
    }
    // The last one may go on below the window; all begin within it.
    LaneState state;
    state.overview = view.lanes;
    state.overview_scale = view.scale;
    const LaneLayout layout(*trace, state, LaneMetrics{});
    CHECK(layout.boxes()[static_cast<std::size_t>(ranks - 1)].bottom() <= static_cast<double>(kWindow));
    CHECK(layout.boxes().back().y < static_cast<double>(kWindow));
  }
}

TEST_CASE("first_view: of many ranks rows become smaller where that shows all of them") {
  Sketched run;
  for (int r = 0; r < 50; ++r) run.add_rank(r, 40);
  const auto trace = run.trace();
  const FirstView view = of(*trace);
  CHECK(view.lanes.size() == 50);
  CHECK(view.scale < 1);
  CHECK(shown_height(*trace, view) <= static_cast<double>(kWindow) + 1);
  CHECK(of(*trace, 50).scale == 1);
}

TEST_CASE("first_view: of a rollout the phases of all workers, who was busy longest first, then its requests") {
  Sketched run;
  for (int w = 0; w < 4; ++w) run.add_worker(w, w == 2 ? 9000 : 2000 + w);
  const auto trace = run.trace();
  const FirstView view = of(*trace);
  // The others are as long as each other, but for less than anybody sees: in the order of their numbers.
  CHECK(seen(view) == Names{"rollout/worker 2/phases*", "rollout/worker 0/phases*", "rollout/worker 1/phases*",
                            "rollout/worker 3/phases*", "rollout/worker 2/requests*"});
  // While it is still being read, lanes stay where they are.
  const Names loading = seen(of(*trace, kWindow, false));
  CHECK(loading.front() == "rollout/worker 0/phases*");
  // Its rows are as low as it takes to see it as a whole.
  LaneState state;
  state.overview = view.lanes;
  const LaneLayout layout(*trace, state, LaneMetrics{});
  CHECK(layout.boxes().back().row_height < LaneMetrics{}.row);
  CHECK(layout.height() <= static_cast<double>(kWindow) + 1);
  // Too many to be open at full height: lower, not folded, since all that could be seen of a folded one is that there were steps.
  const FirstView low = of(*trace, 120);
  CHECK(seen(low) == Names{"rollout/worker 2/phases*", "rollout/worker 0/phases*", "rollout/worker 1/phases*",
                           "rollout/worker 3/phases*"});
  CHECK(low.scale < 1);
  CHECK(shown_height(*trace, low) <= 121);
  const FirstView lowest = of(*trace, 60);
  CHECK(seen(lowest) == Names{"rollout/worker 2/phases", "rollout/worker 0/phases", "rollout/worker 1/phases",
                              "rollout/worker 3/phases"});
}

TEST_CASE("first_view: what has neither devices nor workers stays as it is") {
  Sketched run;
  for (int p = 0; p < 30; ++p) {
    run.add({"process " + std::to_string(p), "thread 1"}, LaneKind::Thread, 0, 10);
    run.add({"process " + std::to_string(p), "thread 2"}, LaneKind::Thread, 0, 1000);
  }
  const auto trace = run.trace();
  CHECK(of(*trace).lanes.empty());
  CHECK(first_order(*trace, true).empty());
  CHECK(first_panel(*trace) == "statistics");
}

TEST_CASE("first_view: hidden and revealed lanes of an overview") {
  Sketched run;
  for (int r = 0; r < 20; ++r) run.add_rank(r, 40);
  const auto trace = run.trace();
  LaneState state;
  const FirstView view = of(*trace);
  state.overview = view.lanes;
  state.overview_scale = view.scale;
  const auto lane_named = [&](std::string_view root, std::string_view name) {
    for (std::size_t l = 0; l < trace->lanes.size(); ++l) {
      const auto id = id_at<LaneId>(l);
      if (trace->lanes[l].name == name && trace->path_of(id).front() == root) return id;
    }
    return kNone<LaneId>;
  };
  const LaneId thread = lane_named("rank 3", "thread 1");
  CHECK_FALSE(LaneLayout(*trace, state, LaneMetrics{}).shows(thread));
  CHECK(count_lanes(*trace, state).left_out == 60);
  CHECK(text(count_lanes(*trace, state)) == "20 of 80 lanes");
  // What is selected in a lane that is left out brings that lane alone, beside those of its rank.
  reveal_lane(*trace, thread, state);
  const LaneLayout layout(*trace, state, LaneMetrics{});
  REQUIRE(layout.shows(thread));
  CHECK(layout.boxes().size() == 21);
  CHECK(layout.boxes()[4].lane == thread);
  CHECK(layout.title(*trace, layout.boxes()[4]) == "rank 3 / thread 1");
  CHECK(layout.title(*trace, layout.boxes()[2]) == "rank 2 / stream 7");
  // A filter asks the tree.
  state.filter = "thread 1";
  CHECK(LaneLayout(*trace, state, LaneMetrics{}).boxes().size() == 60);
}
