#include "core/view/lanes/first_view.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/view/lanes/row_choice.h"
#include "core/view/lanes/shown_lanes.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr float kWindow = 500;

// Lanes by path; the last segment is the lane's.
struct Sketched {
  TraceSketch sketch;

  std::string add(std::vector<std::string> path, LaneKind kind, Ns begin, Ns duration, int slices = 1, std::string_view label = {}) {
    LaneSpec spec;
    std::string track;
    for (std::string& part : path) {
      track += "/" + part;
      spec.path.push_back({std::move(part)});
    }
    spec.kind = kind;
    sketch.lane(track, spec);
    for (int i = 0; i < slices; ++i) {
      const Ns at = begin + i * duration / slices;
      label.empty() ? sketch.slice(track, at, duration / slices) : sketch.slice(track, at, duration / slices, label, {}, "kernel");
    }
    return track;
  }
  // A rank as in a Kineto trace: CPU threads first, then the GPU.
  void add_rank(int rank, int rows_of_stack = 1) {
    const std::string name = "rank " + std::to_string(rank);
    add({name, "python", "thread 0"}, LaneKind::Thread, 0, 1000);
    const std::string main = add({name, "python", "thread 1"}, LaneKind::Thread, 0, 1000);
    for (int depth = 1; depth < rows_of_stack; ++depth) sketch.slice(main, depth, 900 - 14 * depth);
    const std::string gpu = add({name, "GPU " + std::to_string(rank), "stream 7"}, LaneKind::Stream, 100, 800, 50);
    add({name, "GPU " + std::to_string(rank), "stream 9"}, LaneKind::Stream, 100, 2);
    const std::string arrow = "launch " + std::to_string(rank);
    sketch.flow(main, FlowPoint::Kind::Start, 5, arrow).flow(gpu, FlowPoint::Kind::End, 105, arrow);
  }
  // A worker as in a verl trace; `tail` is the duration of its longest request.
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

// Paths such as "rank 0/GPU 0/stream 7", with "*" if expanded.
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
  return first_view(trace, *build_index(trace, test_pool()), LaneMetrics{}, height, {complete, kNone<RowId>, {}});
}

double shown_height(const Trace& trace, const FirstView& view) {
  LaneState state;
  state.overview = view.lanes;
  state.overview_scale = view.scale;
  return LaneLayout(trace, state, LaneMetrics{}).height();
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("first_view: one rank shows its busy stream first, then the launching thread, then the rest") {
  Sketched run;
  run.add_rank(0, 40);
  const auto trace = run.trace();
  const Names names = seen(of(*trace));
  CHECK(names == Names{"rank 0/GPU 0/stream 7*", "rank 0/python/thread 1*", "rank 0/GPU 0/stream 9*",
                       "rank 0/python/thread 0*"});
}

TEST_CASE("first_view: a trace that fits is shown as the lane tree, devices first") {
  Sketched run;
  run.add_rank(0);
  const auto trace = run.trace();
  CHECK(of(*trace).lanes.empty());
  LaneState state;
  state.first_order = first_order(*trace, *build_index(*trace, test_pool()), true);
  Names names;
  for (const ShownLane& shown : shown_lanes(*trace, state).lanes) names.push_back(trace->lane(shown.lane).name);
  CHECK(names == Names{"rank 0", "GPU 0", "stream 7", "stream 9", "python", "thread 1", "thread 0"});
}

TEST_CASE("first_view: the busiest stream of every rank is in view") {
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
    // The last one may extend below the window; all begin within it.
    LaneState state;
    state.overview = view.lanes;
    state.overview_scale = view.scale;
    const LaneLayout layout(*trace, state, LaneMetrics{});
    CHECK(layout.boxes()[static_cast<std::size_t>(ranks - 1)].bottom() <= static_cast<double>(kWindow));
    CHECK(layout.boxes().back().y < static_cast<double>(kWindow));
  }
}

TEST_CASE("first_view: the least busy streams are dropped first, but never communication") {
  for (const int ranks : {8, 14, 40}) {
    CAPTURE(ranks);
    Sketched run;
    for (int r = 0; r < ranks; ++r) {
      const std::string rank = "rank " + std::to_string(r);
      run.add({rank, "GPU", "stream 3"}, LaneKind::Stream, 0, 700);
      run.add({rank, "GPU", "stream 5"}, LaneKind::Stream, 0, 20, 60);  // many slices, but hardly busy
      run.add({rank, "GPU", "stream 9"}, LaneKind::Stream, 0, 4, 1, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)");
    }
    const auto trace = run.trace();
    const FirstView view = of(*trace, 20 * static_cast<float>(ranks));
    const Names names = seen(view);
    CHECK(names.size() == 2 * static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
      for (const char* stream : {"/GPU/stream 3*", "/GPU/stream 9*"})
        CHECK(std::ranges::count(names, "rank " + std::to_string(r) + stream) == 1);
    }
    CHECK(view.scale < 1);
    CHECK(view.scale >= kLeastScale);
  }
}

TEST_CASE("first_view: rows shrink before a busy stream is dropped") {
  Sketched run;
  for (int r = 0; r < 4; ++r) {
    for (int s = 0; s < 10; ++s)
      run.add({"rank " + std::to_string(r), "GPU", "stream " + std::to_string(s)}, LaneKind::Stream, 0, 1000 - 90 * s);
  }
  const auto trace = run.trace();
  CHECK(of(*trace, 400).lanes.size() == 40);  // 21 px each would be 840
  CHECK(of(*trace, 400).scale < 0.5f);
  // If that is not enough, each rank keeps as many as fit, the busiest ones.
  const FirstView fewer = of(*trace, 200);
  CHECK(fewer.lanes.size() < 40);
  CHECK(fewer.lanes.size() >= 20);
  for (const std::string& name : seen(fewer)) CHECK(name.back() == '*');
  CHECK(seen(fewer)[0] == "rank 0/GPU/stream 0*");
  CHECK(shown_height(*trace, fewer) <= 201);
}

TEST_CASE("first_view: streams are dropped one at a time, since each changes which others are nearly as busy as the busiest") {
  constexpr int kRanks = 4;
  Sketched run;
  for (int r = 0; r < kRanks; ++r) {
    const std::string rank = "rank " + std::to_string(r);
    run.add({rank, "GPU", "stream 0"}, LaneKind::Stream, 0, 700, 1, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)");
    for (int s = 1; s < 4; ++s) run.add({rank, "GPU", "stream " + std::to_string(s)}, LaneKind::Stream, 0, 800);
    run.add({rank, "GPU", "stream 4"}, LaneKind::Stream, 0, 1000);
  }
  const auto trace = run.trace();
  // The heights that the numbers of streams need at least, since rows shrink to kLeastScale.
  const LaneMetrics metrics;
  const auto height_of = [&](int streams) { return kLeastScale * (metrics.row + metrics.gap) * static_cast<float>(kRanks * streams); };
  const auto streams_at = [&](float height) {
    Names names = seen(of(*trace, height));
    std::erase_if(names, [](const std::string& name) { return !name.starts_with("rank 2/"); });
    for (std::string& name : names) name = name.substr(std::string_view("rank 2/GPU/").size());
    return names;
  };
  CHECK(streams_at(height_of(5) + 1) == Names{"stream 0*", "stream 1*", "stream 2*", "stream 3*", "stream 4*"});
  CHECK(streams_at(height_of(4) + 1) == Names{"stream 0*", "stream 1*", "stream 2*", "stream 3*"});
  // Without stream 4, communication is nearly as busy as the busiest, so it counts as one of the kept streams from then on.
  CHECK(streams_at(height_of(3) + 1) == Names{"stream 0*", "stream 1*"});
  CHECK(streams_at(height_of(2) + 1) == Names{"stream 0*", "stream 1*"});
  CHECK(streams_at(height_of(1) + 1) == Names{"stream 0*"});
}

TEST_CASE("first_view: spare height goes to threads, including those that launch nothing") {
  for (const int ranks : {1, 2, 4}) {
    for (const bool launches : {false, true}) {
      CAPTURE(ranks);
      CAPTURE(launches);
      Sketched run;
      for (int r = 0; r < ranks; ++r) {
        const std::string name = "rank " + std::to_string(r);
        const std::string main = run.add({name, "python", "thread 1"}, LaneKind::Thread, 0, 1000);
        for (int depth = 1; depth < 60; ++depth) run.sketch.slice(main, depth, 900 - 14 * depth);
        const std::string gpu = run.add({name, "GPU", "stream 7"}, LaneKind::Stream, 100, 800, 20);
        if (!launches) continue;
        run.sketch.flow(main, FlowPoint::Kind::Start, 5, name).flow(gpu, FlowPoint::Kind::End, 105, name);
      }
      const auto trace = run.trace();
      for (const float height : {300.0f, 500.0f, 800.0f}) {
        const FirstView view = of(*trace, height);
        const Names names = seen(view);
        REQUIRE(names.size() == 2 * static_cast<std::size_t>(ranks));
        for (const std::string& name : names) CHECK(name.back() == '*');
        // The unused height is less than one more level per rank; all ranks have equally many levels.
        const double empty = static_cast<double>(height) - shown_height(*trace, view);
        CHECK(empty < static_cast<double>(LaneMetrics{}.row) * ranks);
        for (int r = 1; r < ranks; ++r) CHECK(view.lanes.back().levels == view.lanes[names.size() - 1 - static_cast<std::size_t>(r)].levels);
        if (ranks > 1) CHECK(empty >= 0);
      }
    }
  }
}

TEST_CASE("first_view: frames of a launcher are thin, so the frames inside them are in view") {
  constexpr std::uint32_t kLauncher = 17;
  Sketched run;
  run.add({"rank 0", "GPU 0", "stream 7"}, LaneKind::Stream, 100, 800, 50);
  const std::string main = run.add({"rank 0", "python", "thread 1"}, LaneKind::Thread, 0, 10'000);
  for (std::uint32_t depth = 1; depth < kLauncher; ++depth) run.sketch.slice(main, depth, 10'000 - 2 * depth);
  for (int call = 0; call < 5; ++call) {
    for (int depth = 0; depth < 12; ++depth) run.sketch.slice(main, 100 + 1000 * call + depth, 500 - 2 * depth);
  }
  const auto trace = run.trace();
  const FirstView view = of(*trace, 320);
  const auto thread = std::ranges::find_if(view.lanes, [](const OverviewLane& lane) { return lane.key.ends_with("thread 1"); });
  REQUIRE(thread != view.lanes.end());
  CHECK(thread->thin == kLauncher - 1);
  LaneState state;
  state.overview = view.lanes;
  state.overview_scale = view.scale;
  const LaneMetrics metrics;
  const LaneLayout layout(*trace, state, metrics);
  CHECK(layout.height() <= 320);
  const LaneBox& box = layout.boxes()[static_cast<std::size_t>(thread - view.lanes.begin())];
  REQUIRE(box.thin_lines == kLauncher - 1);
  CHECK(box.hidden_lines == 0);
  for (std::uint32_t n = 0; n < box.line_count; ++n) {
    CAPTURE(n);
    const RowId row = layout.row_at(box, n);
    CHECK(box.line_at(box.line_y(n) + 0.5) == n);
    CHECK(layout.height_of(*trace, row) == (n < box.thin_lines ? metrics.thin_row : metrics.row) * view.scale);
    CHECK(layout.at(layout.middle_of(*trace, row))->row == row);
  }
  CHECK(box.bottom() == doctest::Approx(box.line_y(box.line_count)));
  // The tree has no thin rows; it is shown as soon as it fits.
  for (const float height : {400.0f, 500.0f}) CHECK_FALSE(of(*trace, height).lanes.empty());
  CHECK(of(*trace, 1000).lanes.empty());
  // With a chosen size, no rows are thin.
  set_row_size(*trace, box.lane, RowSize::Normal, state);
  CHECK(LaneLayout(*trace, state, metrics).box_of(box.lane).thin_lines == 0);
}

TEST_CASE("first_view: consecutive steps do not count as frames of a launcher") {
  Sketched run;
  run.add({"rank 0", "GPU 0", "stream 7"}, LaneKind::Stream, 100, 800, 50);
  const std::string main = run.add({"rank 0", "python", "thread 1"}, LaneKind::Thread, 0, 1000);
  for (int step = 0; step < 20; ++step) {
    for (int depth = step == 0 ? 1 : 0; depth < 8; ++depth) run.sketch.slice(main, 1000 * step + depth, 1000 - 2 * depth);
  }
  for (const OverviewLane& lane : of(*run.trace(), 200).lanes) CHECK(lane.thin == 0);
}

TEST_CASE("first_view: toggling the depth limit shows the levels that an overview cut") {
  Sketched run;
  for (int r = 0; r < 3; ++r) run.add_rank(r, 40);
  const auto trace = run.trace();
  const FirstView view = of(*trace);
  LaneState state;
  state.overview = view.lanes;
  const auto cut = std::ranges::find_if(view.lanes, [](const OverviewLane& lane) { return lane.levels > 0; });
  REQUIRE(cut != view.lanes.end());
  const auto box_of = [&](const LaneLayout& layout) { return layout.boxes()[static_cast<std::size_t>(cut - view.lanes.begin())]; };
  const LaneBox before = box_of(LaneLayout(*trace, state, LaneMetrics{}));
  CHECK(before.line_count == cut->levels);
  CHECK(before.hidden_lines == 40 - cut->levels);
  toggle_depth_limit(*trace, before.lane, 0, state);
  CHECK(box_of(LaneLayout(*trace, state, LaneMetrics{})).hidden_lines == 0);
  toggle_depth_limit(*trace, before.lane, 5, state);
  CHECK(box_of(LaneLayout(*trace, state, LaneMetrics{})).line_count == 5);
}

TEST_CASE("first_view: rows of many ranks shrink if that makes all of them fit") {
  Sketched run;
  for (int r = 0; r < 50; ++r) run.add_rank(r, 40);
  const auto trace = run.trace();
  const FirstView view = of(*trace);
  CHECK(view.lanes.size() == 50);
  CHECK(view.scale < 1);
  CHECK(shown_height(*trace, view) <= static_cast<double>(kWindow) + 1);
  CHECK(of(*trace, 50).scale == 1);
}

TEST_CASE("first_view: a rollout shows all workers' phases, busiest worker first, then that worker's requests") {
  Sketched run;
  for (int w = 0; w < 4; ++w) run.add_worker(w, w == 2 ? 9000 : 2000 + w);
  const auto trace = run.trace();
  const FirstView view = of(*trace);
  // The others differ too little to see, so they are in numeric order.
  CHECK(seen(view) == Names{"rollout/worker 2/phases*", "rollout/worker 0/phases*", "rollout/worker 1/phases*",
                            "rollout/worker 3/phases*", "rollout/worker 2/requests*"});
  // While the trace is still being read, lanes keep their order.
  const Names loading = seen(of(*trace, kWindow, false));
  CHECK(loading.front() == "rollout/worker 0/phases*");
  // The first row of its requests is in view and high enough for a name, however low the window.
  const auto requests = std::ranges::find(trace->lanes, LaneKind::Requests, &Lane::kind);
  for (const float height : {kWindow, 300.0f, 200.0f}) {
    CAPTURE(height);
    const FirstView seen_first = of(*trace, height);
    LaneState state;
    state.overview = seen_first.lanes;
    state.overview_scale = seen_first.scale;
    const LaneLayout layout(*trace, state, LaneMetrics{});
    const LaneBox& box = layout.boxes().back();
    CHECK(trace->lane(box.lane).kind == LaneKind::Requests);
    CHECK(box.row_height >= 0.75f * LaneMetrics{}.row);
    CHECK(box.line_y(4) <= static_cast<double>(height) + 1);
    const RowSlices first = trace->slices_of(trace->row(layout.row_at(box, 0)));
    CHECK(first.duration(0) == 9000);
  }
  // The worker waited for is shown, even if another one was busy longer.
  FirstViewOf known;
  known.waited_for = id_at<RowId>(requests->first_row + 7);
  FirstView of_culprit = first_view(*trace, *build_index(*trace, test_pool()), LaneMetrics{}, kWindow, known);
  CHECK(seen(of_culprit).back() == "rollout/worker 0/requests*");
  // The request waited for comes first, then each of the others once, in their order.
  LaneState state;
  state.overview = of_culprit.lanes;
  const LaneLayout layout(*trace, state, LaneMetrics{});
  const LaneBox& box = layout.boxes().back();
  REQUIRE(box.line_count == requests->row_count);
  std::vector<std::size_t> order, expected{7};
  for (std::uint32_t n = 0; n < box.line_count; ++n) {
    const RowId row = layout.row_at(box, n);
    order.push_back(idx(row) - requests->first_row);
    CHECK(layout.at(box.line_y(n) + 1)->row == row);
    CHECK(std::abs(layout.middle_of(*trace, row) - box.line_y(n) - static_cast<double>(box.row_height) / 2) < 1e-3);
  }
  for (std::size_t r = 0; r < requests->row_count; ++r) {
    if (r != 7) expected.push_back(r);
  }
  CHECK(order == expected);
  // Too many for full height: rows shrink rather than fold, because a folded lane shows only that there were steps.
  const FirstView low = of(*trace, 120);
  CHECK(seen(low) == Names{"rollout/worker 2/phases*", "rollout/worker 0/phases*", "rollout/worker 1/phases*",
                           "rollout/worker 3/phases*"});
  CHECK(low.scale < 1);
  CHECK(shown_height(*trace, low) <= 121);
  const FirstView lowest = of(*trace, 60);
  CHECK(seen(lowest) == Names{"rollout/worker 2/phases", "rollout/worker 0/phases", "rollout/worker 1/phases",
                              "rollout/worker 3/phases"});
}

TEST_CASE("first_view: a trace with neither devices nor workers keeps its lane tree") {
  Sketched run;
  for (int p = 0; p < 30; ++p) {
    run.add({"process " + std::to_string(p), "thread 1"}, LaneKind::Thread, 0, 10);
    run.add({"process " + std::to_string(p), "thread 2"}, LaneKind::Thread, 0, 1000);
  }
  const auto trace = run.trace();
  CHECK(of(*trace).lanes.empty());
  CHECK(first_order(*trace, *build_index(*trace, test_pool()), true).empty());
  CHECK(first_panel(*trace) == "statistics");
}

TEST_CASE("first_view: an overview leaves out lanes, and revealing one adds only that lane") {
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
  // A selection in a lane that was left out adds only that lane, next to those of its rank.
  reveal_lane(*trace, thread, state);
  const LaneLayout layout(*trace, state, LaneMetrics{});
  REQUIRE(layout.shows(thread));
  CHECK(layout.boxes().size() == 21);
  CHECK(layout.boxes()[4].lane == thread);
  CHECK(layout.title(*trace, layout.boxes()[4]) == "rank 3 / thread 1");
  CHECK(layout.title(*trace, layout.boxes()[2]) == "rank 2 / stream 7");
  // A filter searches the whole tree.
  state.filter = "thread 1";
  CHECK(LaneLayout(*trace, state, LaneMetrics{}).boxes().size() == 60);
}
