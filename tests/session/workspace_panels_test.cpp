// The panels that the window shows: those that fit the data, those chosen, and the selection next to them.
#include <doctest/doctest.h>

#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

// A kernel and its launch.
std::string small_gpu_trace(const TempDir& folder) {
  return folder.write("rank0.json", R"([{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":20,
    "args":{"device":0,"stream":7}},{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":9},
    {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":100,"dur":9}])");
}

}  // namespace

TEST_CASE("workspace panels: details of the selection are next to the chart, until the user closes them") {
  const TempDir folder;
  TestDesk desk;
  desk.open({small_gpu_trace(folder)});
  const auto shown = [&]() -> const ShownPanels& { return desk.ws.state().panels.shown(); };
  CHECK(shown().left == "gpu");
  CHECK(shown().right.empty());
  desk.select("gemm");
  CHECK(shown().left == "gpu");
  CHECK(shown().right == "details");
  CHECK(!desk.ws.state().panels.layout().right_in_front);  // no click yet
  desk.apply(SelectSlice{slice_named(desk.ws.trace(), "aten::mm"), false});
  CHECK(desk.ws.state().panels.layout().right_in_front);
  desk.apply(ClearSelection{});
  CHECK(!desk.ws.state().panels.layout().right_in_front);  // the chart is there again
  desk.select("gemm");
  desk.apply(ClosePanel{"details"});
  CHECK(shown().right.empty());
  desk.apply(ClearSelection{});
  desk.select("gemm");
  CHECK(shown().right.empty());
  desk.apply(ResetPanels{});
  CHECK(shown().right == "details");
  CHECK(shown().left == "gpu");
}

TEST_CASE("workspace panels: problems by kind are offered once several files have problems") {
  const TempDir folder;
  TestDesk desk;
  const auto odd = [&](const char* name) { return folder.write(name, "[" + event("a", 0, 5) + "," + event("b", 9, -5) + "]"); };
  const auto is_offered = [&] { return offered(*find_panel("problem_kinds"), desk.ws.panel_data()); };
  CHECK_FALSE(is_offered());
  desk.open({odd("first.json"), folder.write("fine.json", "[" + event("a", 0, 5) + "]")});
  CHECK_FALSE(is_offered());
  desk.open({odd("second.json")}, true);
  CHECK(is_offered());
}

TEST_CASE("workspace panels: an area of the lanes opens the details, unless statistics are shown") {
  const TempDir folder;
  TestDesk desk;
  desk.open({small_gpu_trace(folder)});
  desk.apply(SelectRange{{0, 20'000}, {}, "gpu"});
  CHECK(desk.ws.state().panels.shown().right.empty());  // chosen in a chart, and read there
  desk.apply(SelectRange{{0, 20'000}, {}});
  CHECK(desk.ws.state().panels.shown().right == "details");
  desk.apply(ResetPanels{});
  desk.apply(ClearSelection{});
  desk.apply(ResetPanels{});
  desk.apply(ShowPanel{"statistics"});
  desk.apply(SelectRange{{0, 20'000}, {}});
  CHECK(desk.ws.state().panels.shown().right.empty());
}

TEST_CASE("workspace panels: panels are shown by number and by group") {
  const TempDir folder;
  TestDesk desk;
  desk.open({small_gpu_trace(folder)});
  wait_until([&] {
    desk.frame();
    return !desk.ws.run().pending();
  });
  const std::vector<const PanelInfo*> gpu = panels_of(PanelGroup::Gpu, desk.ws.panel_data());
  REQUIRE(gpu.size() >= 3);
  CHECK(desk.ws.state().panels.group() == PanelGroup::Gpu);
  desk.apply(ShowPanelNumber{3});
  CHECK(desk.ws.state().panels.layout().left == gpu[2]->id);
  desk.apply(ShowPanelNumber{9});
  CHECK(desk.ws.state().panels.layout().left == gpu[2]->id);  // there is none
  desk.apply(NextPanelGroup{true});
  CHECK(desk.ws.state().panels.group() == PanelGroup::Trace);
  CHECK(desk.ws.state().panels.layout().left == "details");
  desk.apply(ShowPanelNumber{2});
  CHECK(desk.ws.state().panels.layout().left == "statistics");
  desk.apply(NextPanelGroup{false});
  CHECK(desk.ws.state().panels.layout().left == gpu[2]->id);  // as it was left
  desk.apply(ShowPanelGroup{PanelGroup::Trace});
  CHECK(desk.ws.state().panels.layout().left == "statistics");
  desk.apply(ShowPanelGroup{PanelGroup::Rollout});
  CHECK(desk.ws.state().panels.layout().left == "statistics");
}

TEST_CASE("workspace panels: a moved panel keeps its place, and comes back when there is data for it") {
  const TempDir folder;
  TestDesk desk;
  desk.open({small_gpu_trace(folder)});
  desk.apply(MovePanel{"kernels", PanelPlace::Side});
  desk.apply(MovePanel{"gpu", PanelPlace::Own});
  CHECK(desk.ws.state().panels.shown().side == "kernels");
  CHECK(desk.ws.state().panels.shown().left == "statistics");  // the drawer is not left empty
  desk.open({folder.write("b.json", R"([{"ph":"X","name":"main","pid":1,"tid":1,"ts":0,"dur":9}])")});
  CHECK(desk.ws.state().panels.shown().side.empty());
  CHECK(desk.ws.state().panels.shown().own.empty());
  desk.open({small_gpu_trace(folder)});
  CHECK(desk.ws.state().panels.shown().side == "kernels");
  CHECK(desk.ws.state().panels.shown().own.size() == 1);
  const PanelLayout kept = desk.ws.state().panels.layout();
  desk.apply(ResetPanels{});
  CHECK(desk.ws.state().panels.shown().side.empty());
  desk.ws.panels().set_layout(kept);
  desk.frame();
  CHECK(desk.ws.state().panels.shown().side == "kernels");
}
