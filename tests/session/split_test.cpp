// Two timelines in the window, one above the other: zoom, scroll, lanes, steps, selection, opened and closed files, saved views.
#include <doctest/doctest.h>

#include "core/session/desk/view_state.h"
#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

using What = ChooseLanes::What;

void wait_for_steps(TestDesk& desk) {
  wait_until([&] {
    desk.frame();
    return !desk.ws.run().pending();
  });
  desk.settle();
}

// Four steps of 600 µs, 1 ms apart, on one thread, each with work that takes longer than in the step before.
std::string four_steps(const TempDir& folder) {
  std::string text = "[";
  for (int i = 0; i < 4; ++i) {
    text += (i ? "," : "") + event("ProfilerStep#" + std::to_string(7 + i), 1000 * i, 600) + "," +
            event("work " + std::to_string(i), 1000 * i + 10, 100 * (i + 1));
  }
  return folder.write("steps.json", text + "]");
}

// A process of its own, with this many threads.
std::string process_file(const TempDir& folder, int pid, std::int64_t from_us, int threads) {
  std::string text = "[";
  for (int t = 0; t < threads; ++t) {
    text += std::string(t ? "," : "") + R"({"ph":"X","name":"of )" + std::to_string(pid) + R"(","pid":)" + std::to_string(pid) + R"(,"tid":)" +
            std::to_string(100 * pid + t) + R"(,"ts":)" + std::to_string(from_us + 10 * t) + R"(,"dur":400})";
  }
  return folder.write("process" + std::to_string(pid) + ".json", text + "]");
}

LaneId lane_of(const TestDesk& desk, const char* slice) {
  const Trace& trace = desk.ws.trace();
  return trace.row(trace.row_of(slice_named(trace, slice))).lane;
}

double begin_of(const TestDesk& desk, SplitHalf half) { return desk.ws.state().view(half).begin; }

}  // namespace

TEST_CASE("split: V shows a step and the next one at the same zoom, then a single timeline again") {
  const TempDir folder;
  TestDesk desk;
  desk.open({four_steps(folder)});
  wait_for_steps(desk);
  const Viewport before = desk.ws.state().view();
  CHECK(!desk.ws.state().split());
  desk.apply(ToggleSplit{});
  REQUIRE(desk.ws.state().split());
  CHECK(desk.ws.state().split()->by == SplitBy::Steps);
  CHECK(desk.ws.state().split()->difference() == kMillisecond);
  CHECK(desk.ws.state().halves.titles[ix(SplitHalf::Upper)].text() == "all lanes, ProfilerStep#7");
  CHECK(desk.ws.state().halves.titles[ix(SplitHalf::Lower)].text() == "all lanes, ProfilerStep#8");
  CHECK(desk.ws.state().view().span < before.span / 3);  // zoomed to the steps
  for (const double factor : {0.5, 3.0}) {
    desk.apply(ZoomBy{factor, 0.25});
    CHECK(begin_of(desk, SplitHalf::Lower) - begin_of(desk, SplitHalf::Upper) == 1e6);
    CHECK(desk.ws.state().view(SplitHalf::Lower).span == desk.ws.state().view(SplitHalf::Upper).span);
  }
  desk.apply(PanBy{-100});  // as far as the lower one has something to show
  CHECK(begin_of(desk, SplitHalf::Lower) <= 0);
  desk.apply(PanBy{100});
  CHECK(desk.ws.state().view(SplitHalf::Upper).end() >= 3'600'000);
  desk.apply(ToggleSplit{});
  CHECK(!desk.ws.state().split());
  desk.apply(FitAll{});
  CHECK(desk.shows_everything());
}

TEST_CASE("split: N moves both halves, the arrows and the step strip move one of them") {
  const TempDir folder;
  TestDesk desk;
  desk.open({four_steps(folder)});
  wait_for_steps(desk);
  desk.apply(ToggleSplit{});
  const auto titles = [&] { return desk.ws.state().halves.titles[ix(SplitHalf::Upper)].at + " " + desk.ws.state().halves.titles[ix(SplitHalf::Lower)].at; };
  const double place = static_cast<double>(desk.ws.state().split()->at[0]) - begin_of(desk, SplitHalf::Upper);
  desk.apply(NextStep{true});
  CHECK(titles() == "ProfilerStep#8 ProfilerStep#9");
  CHECK(static_cast<double>(desk.ws.state().split()->at[0]) - begin_of(desk, SplitHalf::Upper) == doctest::Approx(place));
  desk.apply(NextSplitStep{SplitHalf::Upper, false});
  CHECK(titles() == "ProfilerStep#7 ProfilerStep#9");
  CHECK(desk.ws.state().split()->difference() == 2 * kMillisecond);
  CHECK(static_cast<double>(desk.ws.state().split()->at[0]) - begin_of(desk, SplitHalf::Upper) == doctest::Approx(place));
  desk.apply(NextSplitStep{SplitHalf::Lower, true});
  desk.apply(NextStep{true});  // there is none after the last
  CHECK(titles() == "ProfilerStep#7 ProfilerStep#10");
  desk.ws.set_mouse({.half = SplitHalf::Lower});
  desk.apply(GoToMarkedStep{1});
  CHECK(titles() == "ProfilerStep#7 ProfilerStep#8");
  desk.ws.set_mouse({});
  desk.apply(GoToMarkedStep{3});
  CHECK(titles() == "ProfilerStep#10 ProfilerStep#8");
  CHECK(desk.ws.state().split()->difference() == -2 * kMillisecond);
  desk.apply(AlignSplit{SplitBy::Steps, SplitHalf::Lower, 0});
  CHECK(titles() == "ProfilerStep#10 ProfilerStep#7");
}

TEST_CASE("split: two selected slices are aligned at their begins, and both are visible") {
  const TempDir folder;
  TestDesk desk;
  desk.open({four_steps(folder)});
  wait_for_steps(desk);
  desk.select("work 1");
  desk.apply(AddSlice{slice_named(desk.ws.trace(), "work 3")});
  desk.apply(ToggleSplit{});
  REQUIRE(desk.ws.state().split());
  CHECK(desk.ws.state().split()->by == SplitBy::Slices);
  CHECK(desk.ws.state().split()->difference() == 2 * kMillisecond);
  CHECK(desk.ws.state().halves.titles[ix(SplitHalf::Upper)].at == "work 1");
  CHECK(desk.ws.state().halves.titles[ix(SplitHalf::Lower)].at == "work 3");
  for (const SplitHalf half : kHalves) {
    const auto at = static_cast<double>(desk.ws.state().split()->at[ix(half)]);
    CHECK(at >= desk.ws.state().view(half).begin);
    CHECK(at < desk.ws.state().view(half).end());
  }
  // Without two selected slices it says what is missing, and stays as it is.
  desk.apply(ClearSelection{});
  desk.apply(AlignSplit{SplitBy::Slices});
  CHECK(desk.ws.take_notice() == "select two slices first: click one, Ctrl+click the other");
  CHECK(desk.ws.state().split()->difference() == 2 * kMillisecond);
}

TEST_CASE("split: two runs at different times are one above the other, each with its own lanes and scroll") {
  const TempDir folder;
  TestDesk desk;
  desk.geometry.height_px = 300;
  desk.open({process_file(folder, 1, 0, 20), process_file(folder, 2, 5'000'000, 20)});
  desk.apply(AlignRuns{Align::Recorded});
  desk.wait_for_all();
  desk.apply(ToggleSplit{});
  REQUIRE(desk.ws.state().split());
  CHECK(desk.ws.state().split()->by == SplitBy::Starts);
  CHECK(desk.ws.state().split()->difference() == 5 * kSecond);
  CHECK(desk.ws.state().view().span < 1e6);  // of the runs, not of the time between them
  for (const SplitHalf half : kHalves) {
    CHECK(desk.ws.state().layout(half).shows(lane_of(desk, half == SplitHalf::Upper ? "of 1" : "of 2")));
    CHECK(!desk.ws.state().layout(half).shows(lane_of(desk, half == SplitHalf::Upper ? "of 2" : "of 1")));
  }
  desk.geometry.height_px = desk.geometry.lower_px = 120;
  desk.settle();
  const double upper = desk.ws.state().scroll_y(SplitHalf::Upper);
  desk.apply(ScrollBy{100, SplitHalf::Lower});
  CHECK(desk.ws.state().scroll_y(SplitHalf::Lower) == 100);
  CHECK(desk.ws.state().scroll_y(SplitHalf::Upper) == upper);
  desk.ws.set_mouse({});
  desk.apply(ScrollBy{40});  // by key: where the mouse is
  CHECK(desk.ws.state().scroll_y(SplitHalf::Upper) == upper + 40);
}

TEST_CASE("split: isolating a lane and showing all lanes apply to one half, folding applies to both") {
  const TempDir folder;
  TestDesk desk;
  desk.open({process_file(folder, 1, 0, 3), process_file(folder, 2, 0, 3)});
  desk.apply(ToggleSplit{});
  REQUIRE(desk.ws.state().split());
  CHECK(desk.ws.state().split()->by == SplitBy::Recorded);  // recorded at the same time: one process above, the other below
  const LaneId one = lane_of(desk, "of 1"), two = lane_of(desk, "of 2");
  CHECK(!desk.ws.state().layout(SplitHalf::Upper).shows(two));
  CHECK(!desk.ws.state().layout(SplitHalf::Lower).shows(one));
  for (const SplitHalf half : kHalves) desk.apply(ChooseSplitLanes{half, {}});
  desk.ws.set_mouse({.place = LaneLayout::Place{two}, .half = SplitHalf::Lower});
  desk.apply(ChooseLanes{What::Isolate});
  CHECK(desk.ws.state().layout(SplitHalf::Upper).shows(one));
  CHECK(!desk.ws.state().layout(SplitHalf::Lower).shows(one));
  CHECK(desk.ws.state().layout(SplitHalf::Lower).shows(two));
  CHECK(!desk.ws.state().halves.of(SplitHalf::Lower).lanes_text.empty());
  desk.apply(ToggleLane{desk.ws.trace().lane(two).parent});
  CHECK(desk.ws.state().layout(SplitHalf::Upper).box_of(two).collapsed);
  // The selection is brought into the half that shows it; if none does, into the one under the mouse.
  desk.apply(SelectSlice{slice_named(desk.ws.trace(), "of 1"), true});
  CHECK(!desk.ws.state().layout(SplitHalf::Lower).shows(one));
  desk.apply(ChooseSplitLanes{SplitHalf::Upper, {two}});
  desk.ws.set_mouse({});
  desk.apply(SelectSlice{slice_named(desk.ws.trace(), "of 1"), true});
  CHECK(desk.ws.state().layout(SplitHalf::Upper).shows(one));
  desk.ws.set_mouse({.half = SplitHalf::Lower});
  desk.apply(ChooseLanes{What::ShowAll});
  CHECK(desk.ws.state().layout(SplitHalf::Lower).shows(one));
  CHECK(desk.ws.state().split());
}

TEST_CASE("split: it stays while files are moved and closed, and ends when the last one is closed") {
  const TempDir folder;
  TestDesk desk;
  const std::vector<std::string> files = {process_file(folder, 1, 0, 2), process_file(folder, 2, 3000, 2), process_file(folder, 3, 6000, 2)};
  desk.open(files);
  desk.apply(AlignRuns{Align::Recorded});
  desk.wait_for_all();
  desk.apply(ToggleSplit{});
  REQUIRE(desk.ws.state().split());
  CHECK(desk.ws.state().split()->difference() == 3 * kMillisecond);
  desk.ws.apply(SetClocks{{{"process2.json", 4 * kMillisecond}}});
  desk.wait();
  REQUIRE(desk.ws.state().split());
  CHECK(desk.ws.state().split()->difference() == 7 * kMillisecond);  // still aligned by their starts
  desk.ws.apply(CloseFiles{{files[0]}});
  desk.wait();
  REQUIRE(desk.ws.state().split());
  CHECK(desk.ws.state().split()->lanes[0].empty());  // its lanes are gone, so it shows all that are left
  CHECK(desk.ws.state().layout(SplitHalf::Upper).shows(lane_of(desk, "of 3")));
  CHECK(!desk.ws.state().layout(SplitHalf::Lower).shows(lane_of(desk, "of 3")));
  desk.ws.apply(CloseAll{});
  desk.wait();
  CHECK(!desk.ws.state().split());
  desk.apply(ToggleSplit{});
  CHECK(!desk.ws.state().split());
}

TEST_CASE("split: the time under the mouse in one half is marked at the same place in the other") {
  const TempDir folder;
  TestDesk desk;
  desk.open({four_steps(folder)});
  wait_for_steps(desk);
  desk.ws.set_mouse({.on_timeline = 200'000.0});
  CHECK(desk.ws.state().pointed_time(SplitHalf::Upper) == 200'000.0);
  desk.apply(ToggleSplit{});
  desk.ws.set_mouse({.on_timeline = 1'200'000.0, .half = SplitHalf::Lower});
  CHECK(desk.ws.state().pointed_time(SplitHalf::Lower) == 1'200'000.0);
  CHECK(desk.ws.state().pointed_time(SplitHalf::Upper) == 200'000.0);
  desk.ws.set_mouse({});
  desk.ws.set_chart_time(300'000.0);
  desk.frame();
  for (const SplitHalf half : kHalves) CHECK(desk.ws.state().pointed_time(half) == 300'000.0);  // a time from a chart is not shifted
}

TEST_CASE("split: it is restored by a saved view and by a numbered view") {
  const TempDir folder;
  TestDesk desk;
  const std::string file = four_steps(folder);
  desk.open({file});
  wait_for_steps(desk);
  desk.apply(ToggleSplit{});
  desk.apply(NextSplitStep{SplitHalf::Lower, true});
  desk.apply(ChooseSplitLanes{SplitHalf::Lower, {lane_of(desk, "work 1")}});
  desk.apply(SizeSplit{0.3f});
  desk.apply(ZoomBy{0.5, 0.5});
  const Split split = *desk.ws.state().split();
  const Viewport view = desk.ws.state().view();
  const std::string state = view_state_json(desk.ws);
  desk.apply(StoredView{3, true});
  desk.apply(ToggleSplit{});
  desk.apply(StoredView{3, false});
  REQUIRE(desk.ws.state().split());
  CHECK(*desk.ws.state().split() == split);

  TestDesk again;
  again.open({file});
  wait_for_steps(again);
  REQUIRE(apply_view_state(again.ws, state).ok());
  again.wait_for_all();
  REQUIRE(again.ws.state().split());
  CHECK(*again.ws.state().split() == split);
  CHECK(again.ws.state().view().begin == doctest::Approx(view.begin));
  CHECK(again.ws.state().view().span == doctest::Approx(view.span));
  CHECK(again.ws.state().halves.titles[ix(SplitHalf::Lower)].at == "ProfilerStep#9");
  CHECK(view_state_json(again.ws) == state);
  again.open({file});  // opening files ends it, even the same ones
  CHECK(!again.ws.state().split());
}

TEST_CASE("split: its size is limited, and commands for a half do nothing to a single timeline") {
  const TempDir folder;
  TestDesk desk;
  desk.open({four_steps(folder)});
  desk.apply(SizeSplit{0.3f});
  desk.apply(NextSplitStep{SplitHalf::Lower, true});
  desk.apply(ChooseSplitLanes{SplitHalf::Lower, {lane_of(desk, "work 1")}});
  CHECK(!desk.ws.state().split());
  desk.apply(AlignSplit{SplitBy::Recorded});  // from the list of commands: it splits
  REQUIRE(desk.ws.state().split());
  CHECK(desk.ws.state().split()->difference() == 0);
  for (const float share : {-1.0f, 2.0f, 0.4f}) {
    desk.apply(SizeSplit{share});
    CHECK(desk.ws.state().split()->share >= kLeastSplitShare);
    CHECK(desk.ws.state().split()->share <= 1 - kLeastSplitShare);
  }
}
