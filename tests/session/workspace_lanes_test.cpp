// Which lanes the window shows: at first, after commands, after a reload.
#include <doctest/doctest.h>

#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

using What = ChooseLanes::What;

// A rank as kineto writes it: two threads with deep stacks, one of them launching, and a stream.
std::string rank_file(const TempDir& folder, int rank) {
  std::string text = R"({"distributedInfo":{"rank":)" + std::to_string(rank) + R"(},"traceEvents":[)";
  const auto add = [&](const std::string& category, const std::string& name, int pid, int tid, int ts, int dur,
                       const std::string& args) {
    text += R"({"ph":"X","cat":")" + category + R"(","name":")" + name + R"(","pid":)" + std::to_string(pid) +
            R"(,"tid":)" + std::to_string(tid) + R"(,"ts":)" + std::to_string(ts) + R"(,"dur":)" + std::to_string(dur) +
            R"(,"args":{)" + args + "}},";
  };
  for (int depth = 0; depth < 30; ++depth) {
    add("cpu_op", "frame " + std::to_string(depth), 100, 100, depth, 2000 - 2 * depth, "");
    add("cpu_op", "frame " + std::to_string(depth), 100, 101, depth, 2000 - 2 * depth, "");
  }
  for (int i = 0; i < 20; ++i) {
    const std::string correlation = R"("correlation":)" + std::to_string(i + 1);
    add("cuda_runtime", "cudaLaunchKernel", 100, 100, 40 + 50 * i, 5, correlation);
    add("kernel", "gemm", rank, 7, 60 + 50 * i, 40,
        R"("device":)" + std::to_string(rank) + R"(,"stream":7,)" + correlation);
  }
  text.back() = ']';
  return folder.write("rank" + std::to_string(rank) + ".json", text + "}");
}

std::vector<std::string> titles(const Workspace& ws) {
  std::vector<std::string> out;
  for (const LaneBox& box : ws.state().layout().boxes()) out.emplace_back(ws.state().layout().title(ws.trace(), box));
  return out;
}

}  // namespace

TEST_CASE("workspace lanes: with several ranks all streams are visible, and the GPU panel is shown") {
  const TempDir folder;
  TestDesk desk;
  desk.geometry.height_px = 200;
  std::vector<std::string> paths;
  for (int r = 0; r < 6; ++r) paths.push_back(rank_file(folder, r));
  desk.open(paths);
  REQUIRE(titles(desk.ws).size() >= 6);
  for (int r = 0; r < 6; ++r)
    CHECK(titles(desk.ws)[static_cast<std::size_t>(r)] == "rank " + std::to_string(r) + " / stream 7");
  CHECK(desk.ws.state().layout().height() <= 200);
  CHECK(!desk.ws.state().halves.upper.lanes_text.empty());
  CHECK(desk.ws.state().panels.layout().left == "gpu");
  // The selection is shown next to the panel; after a click, in front of it if there is room for only one.
  desk.select("gemm");
  CHECK(desk.ws.state().panels.layout().left == "gpu");
  CHECK(!desk.ws.state().panels.layout().right_in_front);
  desk.apply(SelectSlice{slice_named(desk.ws.trace(), "gemm"), false});
  CHECK(desk.ws.state().panels.layout().left == "gpu");
  CHECK(desk.ws.state().panels.layout().right_in_front);
  desk.apply(ToggleOverview{});
  CHECK(desk.ws.state().layout().boxes().size() > 12);
  CHECK(desk.ws.state().halves.upper.lanes_text.empty());
  desk.apply(ToggleOverview{});
  CHECK(titles(desk.ws)[5] == "rank 5 / stream 7");
}

TEST_CASE("workspace lanes: revealing a hidden launch shows its lane and no other") {
  const TempDir folder;
  TestDesk desk;
  desk.geometry.height_px = 100;
  desk.open({rank_file(folder, 0), rank_file(folder, 1), rank_file(folder, 2)});
  const std::size_t before = desk.ws.state().layout().boxes().size();
  const SliceId launch = slice_named(desk.ws.trace(), "cudaLaunchKernel");
  REQUIRE(!desk.ws.state().layout().shows(desk.ws.trace().row(desk.ws.trace().row_of(launch)).lane));
  desk.apply(SelectSlice{launch, true});
  CHECK(desk.ws.state().layout().boxes().size() == before + 1);
}

TEST_CASE(
    "workspace lanes: pinned and hidden lanes survive a reload, but not opening another file") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  const std::size_t all = desk.ws.state().layout().boxes().size();
  desk.apply(ChooseLanes{What::Pin, {desk.lane("thread 3")}});
  CHECK(desk.ws.state().layout().pinned_height() > 0);
  CHECK(desk.ws.state().scroll_y() == desk.ws.state().layout().pinned_height());  // the scrolled part begins below
  desk.apply(ChooseLanes{What::Hide, {desk.lane("thread 2")}});
  CHECK(desk.ws.state().layout().boxes().size() == 1);
  CHECK(desk.ws.state().halves.upper.lanes_text == "1 hidden");
  desk.ws.apply(Reload{});
  desk.wait();
  CHECK(desk.ws.state().layout().boxes().size() == 1);
  CHECK(desk.ws.state().layout().boxes()[0].pinned);
  desk.apply(ChooseLanes{What::ShowAll});
  CHECK(desk.ws.state().layout().boxes().size() == all);
  desk.apply(ChooseLanes{What::Isolate, {desk.lane("thread 2")}});
  CHECK(desk.ws.state().halves.upper.lanes_text == "1 hidden");
  desk.open({steps(folder, "other.json")});
  CHECK(desk.ws.state().layout().boxes().size() == all);
  CHECK(desk.ws.state().layout().pinned_height() == 0);
  CHECK(desk.ws.state().halves.upper.lanes_text.empty());
}

TEST_CASE("workspace lanes: commands act on the lane under the mouse, else on that of the selected slice") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.apply(ChooseLanes{What::Hide});  // no lane is meant
  CHECK(desk.ws.state().halves.upper.lanes_text.empty());
  desk.select("wait");
  desk.ws.set_mouse({.place = LaneLayout::Place{desk.lane("thread 2")}});
  desk.apply(ChooseLanes{What::Hide});
  CHECK(!desk.ws.state().layout().shows(desk.lane("thread 2")));
  desk.apply(ChooseLanes{What::Pin});
  CHECK(desk.ws.state().layout().box_of(desk.lane("thread 3")).pinned);
}

TEST_CASE("workspace lanes: lanes can be sorted, dragged and folded by level") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  const auto first_lane = [&] {
    for (const LaneBox& box : desk.ws.state().layout().boxes()) {
      if (!box.group) return desk.ws.trace().lane(box.lane).name;
    }
    return std::string();
  };
  CHECK(first_lane() == "thread 2");
  desk.apply(SortLanes{LaneSort::Tail});
  CHECK(first_lane() == "thread 2");
  desk.apply(SortLanes{LaneSort::Start});
  CHECK(first_lane() == "thread 2");
  desk.apply(DragLane{desk.lane("thread 3"), desk.lane("thread 2")});
  CHECK(first_lane() == "thread 3");
  desk.apply(SortLanes{});  // undoes the dragging
  CHECK(first_lane() == "thread 2");
  CHECK(desk.ws.state().lanes.sort == std::nullopt);
  const double height = desk.ws.state().layout().height();
  desk.apply(FoldLevels{1});
  CHECK(desk.ws.state().layout().height() < height);
  for (int level = 0; level < 4; ++level) desk.apply(FoldLevels{1});
  CHECK(desk.ws.state().layout().boxes().size() == 1);
  for (int level = 0; level < 4; ++level) desk.apply(FoldLevels{-1});
  CHECK(desk.ws.state().layout().height() == height);
}

TEST_CASE("workspace lanes: going to a group whose lanes are all pinned leaves the group hidden and its lanes pinned") {
  const TempDir folder;
  TestDesk desk;
  desk.geometry.height_px = 400;
  desk.open({rank_file(folder, 0), rank_file(folder, 1)});
  if (!desk.ws.state().halves.upper.lanes_text.empty()) desk.apply(ToggleOverview{});
  const Trace& trace = desk.ws.trace();
  std::vector<LaneId> lanes;
  for (std::size_t l = 1; l < idx(trace.lanes[0].subtree_end); ++l) {
    if (trace.lanes[l].row_count > 0) lanes.push_back(id_at<LaneId>(l));
  }
  REQUIRE(lanes.size() > 1);
  desk.apply(ChooseLanes{What::Pin, lanes});
  REQUIRE(!desk.ws.state().layout().shows(id_at<LaneId>(0)));
  desk.apply(GoTo{trace.lanes[0].name});
  CHECK(desk.ws.state().boxes.go_to_complaint.empty());
  for (const LaneId lane : lanes) CHECK(desk.ws.state().layout().box_of(lane).pinned);
  desk.apply(RevealLane{id_at<LaneId>(0)});
  CHECK(!desk.ws.state().layout().shows(id_at<LaneId>(0)));
}
