// Commands in, state out: what a user does with the window, without the window.
#include <doctest/doctest.h>

#include "tests/read/fixture_cases.h"
#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

std::string chrome_fixture(const char* name) { return fixtures_folder() + "/chrome_json/" + name; }

}  // namespace

TEST_CASE("workspace: an opened file is shown in full") {
  const TempDir folder;
  TestDesk desk;
  CHECK(!desk.ws.session().anything_open());
  desk.settle();
  desk.open({steps(folder)});
  CHECK(desk.ws.session().anything_open());
  CHECK(desk.ws.trace().slice_count == 5);
  CHECK(desk.shows_everything());
  CHECK(reachable_extent(desk.ws.trace()) == TimeRange{0, kMillisecond});
  CHECK(!desk.ws.state().selection.has_slice());
  CHECK(!desk.ws.state().layout().boxes().empty());
}

TEST_CASE("workspace: zoom and pan stay within their limits") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.apply(ZoomTo{{100'000, 300'000}});
  CHECK(desk.ws.state().view() == Viewport{100'000, 200'000});
  desk.apply(ZoomBy{0.5, 0.5});
  CHECK(desk.ws.state().view() == Viewport{150'000, 100'000});
  desk.apply(ZoomBy{2, 0});
  CHECK(desk.ws.state().view() == Viewport{150'000, 200'000});
  desk.apply(PanBy{0.5});
  CHECK(desk.ws.state().view() == Viewport{250'000, 200'000});
  for (int i = 0; i < 40; ++i) desk.ws.apply(ZoomBy{0.5, 0.5});
  desk.settle();
  CHECK(desk.ws.state().view().span == kMinSpanNs);
  for (int i = 0; i < 60; ++i) desk.ws.apply(ZoomBy{2, 0.5});
  desk.settle();
  CHECK(desk.ws.state().view().begin <= 0);
  CHECK(desk.ws.state().view().end() >= 1'000'000);
  desk.apply(PanBy{-100});
  CHECK(desk.ws.state().view().end() > 0);
  desk.apply(FitAll{});
  CHECK(desk.shows_everything());
}

TEST_CASE("workspace: a zoom glides to its target, a drag moves at once") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  const Viewport before = desk.ws.state().view();
  desk.ws.apply(ZoomTo{{100'000, 300'000}});
  CHECK(desk.ws.state().view() == before);
  desk.frame();
  CHECK(desk.ws.state().moving());
  CHECK(desk.ws.state().view().span < before.span);
  CHECK(desk.ws.state().view().span > 200'000);
  desk.settle();
  desk.ws.apply(PanBy{0.1});
  CHECK(desk.ws.state().view() == Viewport{120'000, 200'000});
  CHECK(!desk.ws.state().moving());
}

TEST_CASE("workspace: Back and Forward go through earlier views") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  const Viewport a{100'000, 200'000}, b{500'000, 100'000};
  desk.apply(ZoomTo{{100'000, 300'000}});
  desk.apply(ZoomTo{{500'000, 600'000}});
  desk.apply(Back{});
  CHECK(desk.ws.state().view() == a);
  desk.apply(Back{});
  CHECK(desk.shows_everything());
  desk.apply(Back{});  // that was the first
  CHECK(desk.shows_everything());
  desk.apply(Forward{});
  CHECK(desk.ws.state().view() == a);
  desk.apply(Forward{});
  CHECK(desk.ws.state().view() == b);
  desk.apply(Forward{});
  CHECK(desk.ws.state().view() == b);
  desk.apply(Back{});
  desk.apply(ZoomTo{{0, 50'000}});  // forgets the views ahead
  desk.apply(Forward{});
  CHECK(desk.ws.state().view() == Viewport{0, 50'000});
}

TEST_CASE("workspace: one Back undoes a quick series of changes") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  for (int i = 0; i < 5; ++i) {
    desk.ws.apply(ZoomBy{0.8, 0.5});
    desk.frame();
  }
  desk.settle();
  CHECK(!desk.shows_everything());
  desk.apply(Back{});
  CHECK(desk.shows_everything());
}

TEST_CASE("workspace: held keys zoom and pan") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  const double span = desk.ws.state().view().span;
  for (int i = 0; i < 30; ++i) {
    desk.ws.navigate({.zoom_in = true}, 1.0 / 60, 0.5);
    desk.frame();
  }
  desk.ws.navigate({}, 1.0 / 60, 0.5);
  desk.settle();
  CHECK(desk.ws.state().view().span < span / 2);
  const double begin = desk.ws.state().view().begin;
  desk.ws.navigate({.pan_right = true}, 1.0 / 60, 0.5);
  desk.settle();
  CHECK(desk.ws.state().view().begin > begin);
}

TEST_CASE("workspace: commands go to the next, previous, child and parent slice") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.apply(NextSlice{});  // nothing selected: nothing happens
  CHECK(desk.selected() == "none");
  desk.select("step");
  CHECK(desk.selected() == "step");
  REQUIRE(desk.ws.state().selected.details);
  CHECK(desk.ws.state().selected.details->duration == kMillisecond);
  desk.apply(ChildSlice{});
  CHECK(desk.selected() == "forward");
  desk.apply(ChildSlice{});
  CHECK(desk.selected() == "kernel");
  desk.apply(ChildSlice{});
  CHECK(desk.selected() == "kernel");
  desk.apply(ParentSlice{});
  CHECK(desk.selected() == "forward");
  desk.apply(NextSlice{});
  CHECK(desk.selected() == "kernel");
  desk.apply(NextSlice{});
  CHECK(desk.selected() == "backward");
  desk.apply(NextSlice{});  // the lane's last
  CHECK(desk.selected() == "backward");
  desk.apply(ParentSlice{});
  CHECK(desk.selected() == "step");
  desk.apply(PreviousSlice{});
  CHECK(desk.selected() == "step");
  desk.apply(SelectSlice{kNone<SliceId>, true});  // no such slice
  CHECK(desk.selected() == "step");
}

TEST_CASE("workspace: a selected slice is brought into view, not zoomed to") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.apply(ZoomTo{{0, 50'000}});
  desk.apply(SelectSlice{slice_named(desk.ws.trace(), "kernel"), false});
  CHECK(desk.ws.state().view() == Viewport{0, 50'000});
  desk.select("backward");  // longer than the view: its nearer end, without zooming out; F shows all of it
  CHECK(desk.ws.state().view() == Viewport{495'000, 50'000});
  desk.apply(FitSelection{});
  CHECK(desk.ws.state().view() == Viewport{460'000, 480'000});
  desk.apply(ZoomTo{{0, 150'000}});
  desk.select("kernel");
  CHECK(desk.ws.state().view().span == 150'000);
  CHECK(desk.ws.state().view().begin <= 150'000);
  CHECK(desk.ws.state().view().end() >= 250'000);
}

TEST_CASE("workspace: FitSelection shows the selected slice or area") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.apply(FitSelection{});
  CHECK(desk.shows_everything());
  desk.select("kernel");
  desk.apply(FitSelection{});
  CHECK(desk.ws.state().view() == Viewport{140'000, 120'000});  // with a tenth on both sides
  desk.apply(RangeOfSelection{});
  REQUIRE(desk.ws.state().selection.range);
  CHECK(*desk.ws.state().selection.range == TimeRange{150'000, 250'000});
  desk.apply(SelectRange{{400'000, 500'000}, {}});
  desk.apply(FitSelection{});
  CHECK(desk.ws.state().view() == fit({400'000, 500'000}, reachable_extent(desk.ws.trace()), kSelectionMargin));
}

TEST_CASE("workspace: fitting a selection that is fully in view does not zoom out") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.select("step");  // all of the trace
  desk.apply(ZoomTo{{-20'000, 1'020'000}});
  const Viewport before = desk.ws.state().view();
  desk.apply(FitSelection{});
  CHECK(desk.ws.state().view() == before);
  desk.select("forward");
  desk.apply(ZoomTo{{90'000, 410'000}});
  const Viewport close = desk.ws.state().view();
  desk.apply(FitSelection{});
  CHECK(desk.ws.state().view() == close);
}

TEST_CASE("workspace: FollowFlow goes along the arrows") {
  TestDesk desk;
  desk.open({chrome_fixture("flow_chain.json")});
  desk.select("kernel a");
  desk.apply(FollowFlow{true});
  CHECK(desk.selected() == "kernel b");
  desk.apply(FollowFlow{true});
  CHECK(desk.selected() == "kernel b");
  desk.apply(FollowFlow{false});
  CHECK(desk.selected() == "kernel a");
  desk.apply(FollowFlow{false});
  CHECK(desk.selected() == "launch");
  desk.apply(FollowFlow{false});
  CHECK(desk.selected() == "launch");
}

TEST_CASE("workspace: repeated FollowFlow cycles through the arrows of one slice") {
  const TempDir folder;
  std::string text = "[" + event("launch", 0, 100);
  for (const int n : {1, 2, 3}) {
    const std::string at = std::to_string(200 * n), id = std::to_string(n);
    text += "," + event("kernel " + id, 200 * n, 50, 10 + n);
    text += R"(,{"ph":"s","id":)" + id + R"(,"name":"f","cat":"c","pid":1,"tid":2,"ts":)" + std::to_string(10 * n) + "}";
    text += R"(,{"ph":"f","bp":"e","id":)" + id + R"(,"name":"f","cat":"c","pid":1,"tid":)" + std::to_string(10 + n) +
            R"(,"ts":)" + at + "}";
  }
  TestDesk desk;
  desk.open({folder.write("arrows.json", text + "]")});
  REQUIRE(desk.ws.trace().flows.size() == 3);
  desk.select("launch");
  std::vector<std::string> ends;
  for (int i = 0; i < 4; ++i) {
    desk.apply(FollowFlow{true, true});
    ends.push_back(desk.selected());
  }
  CHECK(ends == std::vector<std::string>{"kernel 1", "kernel 2", "kernel 3", "kernel 1"});
  desk.apply(FollowFlow{false});
  CHECK(desk.selected() == "launch");
  desk.apply(FollowFlow{true});  // by ] first, then the next by Ctrl+]
  desk.apply(FollowFlow{true, true});
  CHECK(desk.selected() == "kernel 2");
  // From elsewhere it begins with the selection's first arrow.
  desk.select("launch");
  desk.apply(FollowFlow{true, true});
  CHECK(desk.selected() == "kernel 1");
}

TEST_CASE("workspace: lanes fold, and unfold when a slice in them is selected") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  const LaneId thread = desk.lane("thread 2"), process = desk.lane("process 1");
  const std::size_t boxes = desk.ws.state().layout().boxes().size();
  CHECK(!desk.ws.state().layout().box_of(thread).collapsed);
  const double height = desk.ws.state().layout().height();
  desk.apply(ToggleLane{thread});
  CHECK(desk.ws.state().layout().box_of(thread).collapsed);
  CHECK(desk.ws.state().layout().height() < height);
  desk.apply(ToggleLane{process});
  CHECK(desk.ws.state().layout().boxes().size() < boxes);
  desk.select("kernel");
  CHECK(desk.ws.state().layout().boxes().size() == boxes);
  CHECK(!desk.ws.state().layout().box_of(thread).collapsed);
  desk.apply(CollapseAll{true});
  CHECK(desk.ws.state().layout().boxes().size() == 1);
  desk.apply(CollapseAll{false});
  CHECK(desk.ws.state().layout().height() == height);
  desk.apply(ScaleRows{2});
  CHECK(desk.ws.state().layout().height() > height);
  for (int i = 0; i < 20; ++i) desk.apply(ScaleRows{2});
  const double most = desk.ws.state().layout().height();
  desk.apply(ScaleRows{2});
  CHECK(desk.ws.state().layout().height() == most);
}

TEST_CASE("workspace: rows of the lane under the mouse are resized, and stay under it") {
  const TempDir folder;
  TestDesk desk;
  desk.geometry.height_px = 60;
  desk.open({steps(folder)});
  const LaneId first = desk.lane("thread 2"), second = desk.lane("thread 3");
  const auto height = [&](LaneId lane) { return desk.ws.state().layout().box_of(lane).row_height; };
  const float normal = height(first);
  desk.ws.set_mouse({});
  desk.apply(CycleRowSize{});  // no lane is meant
  CHECK(height(first) == normal);
  LaneLayout::Place place{first, LaneLayout::Place::Part::Row, RowId{1}};
  desk.apply(ScrollBy{20});
  const double y = desk.ws.state().layout().middle_of(desk.ws.trace(), RowId{1}) - desk.ws.state().scroll_y();
  desk.ws.set_mouse({.place = place, .y = y});
  desk.apply(CycleRowSize{});
  CHECK(height(first) > normal);
  CHECK(height(second) == normal);
  CHECK(desk.ws.state().layout().middle_of(desk.ws.trace(), RowId{1}) - desk.ws.state().scroll_y() == doctest::Approx(y));
  desk.apply(CutLane{});  // down to the row under the mouse
  CHECK(desk.ws.state().layout().box_of(first).line_count == 2);
  CHECK(desk.ws.state().layout().box_of(first).hidden_lines == 1);
  desk.select("kernel");  // on the third row: shows the whole lane again
  CHECK(desk.ws.state().layout().box_of(first).hidden_lines == 0);
  desk.ws.set_mouse({});
  desk.apply(CycleRowSize{});  // of the selection's lane: from tall to compact
  CHECK(height(first) < normal);
  desk.apply(ScaleRows{3});
  desk.apply(ResetRows{});
  CHECK(height(first) == normal);
}

TEST_CASE("workspace: scaling rows up eight times and down eight times restores their height") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  const double height = desk.ws.state().layout().height();
  for (int i = 0; i < 8; ++i) desk.apply(ScaleRows{1});
  CHECK(desk.ws.state().layout().height() > 2 * height);
  for (int i = 0; i < 8; ++i) desk.apply(ScaleRows{-1});
  CHECK(desk.ws.state().layout().height() == height);
  for (int i = 0; i < 8; ++i) desk.apply(ScaleRows{-1});
  for (int i = 0; i < 8; ++i) desk.apply(ScaleRows{1});
  CHECK(desk.ws.state().layout().height() == height);
}

TEST_CASE("workspace: scrolling stays within the lanes") {
  const TempDir folder;
  TestDesk desk;
  desk.geometry.height_px = 30;
  desk.open({steps(folder)});
  desk.apply(ScrollBy{1e6});
  CHECK(desk.ws.state().scroll_y() == doctest::Approx(desk.ws.state().layout().height() - 30));
  CHECK(desk.ws.scrolled_height() == desk.ws.state().layout().height());
  desk.apply(ColorSlices{ColorRule::Duration});  // with a legend below the lanes
  desk.wait_for_all();
  CHECK(desk.ws.scrolled_height() > desk.ws.state().layout().height());
  desk.apply(ScrollBy{1e6});
  CHECK(desk.ws.state().scroll_y() == doctest::Approx(desk.ws.scrolled_height() - 30));
  desk.apply(ScrollBy{-1e7});
  CHECK(desk.ws.state().scroll_y() == 0);
  desk.select("wait");  // on the lowest lane
  CHECK(desk.ws.state().scroll_y() > 0);
  desk.geometry.height_px = 5000;
  desk.settle();
  CHECK(desk.ws.state().scroll_y() == 0);
}

TEST_CASE("workspace: search goes round through its hits in both directions") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.apply(OpenSearch{});
  CHECK(desk.ws.state().boxes.search);
  desk.apply(Search{"WA"});  // matches forward, backward and wait, in either case
  CHECK(desk.ws.search().hits().spread().hits == 3);
  for (const char* name : {"forward", "wait", "backward", "forward"}) {
    desk.apply(NextHit{true});
    CHECK(desk.selected() == name);
  }
  for (const char* name : {"backward", "wait", "forward", "backward"}) {
    desk.apply(NextHit{false});
    CHECK(desk.selected() == name);
  }
  desk.apply(Search{"nothing like it"});
  CHECK(desk.ws.search().hits().spread().hits == 0);
  desk.apply(NextHit{true});
  CHECK(desk.selected() == "backward");
}

TEST_CASE("workspace: without a selection the first hit is the first one that overlaps the view") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.apply(ZoomTo{{180'000, 400'000}});
  desk.apply(Search{"wa"});
  desk.apply(NextHit{true});
  CHECK(desk.selected() == "forward");
}

TEST_CASE("workspace: marks are added, removed by adding them again, and deleted") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.apply(AddMark{});  // neither a selection nor a mouse
  CHECK(desk.ws.state().notes.marks().empty());
  desk.apply(AddMark{300});
  desk.apply(AddMark{100});
  desk.apply(AddMark{200});
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{100, 200, 300});
  desk.apply(AddMark{200});  // again: removes it
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{100, 300});
  desk.apply(DeleteMark{});
  desk.apply(DeleteMark{});
  CHECK(desk.ws.state().notes.marks().empty());

  desk.ws.set_mouse({.on_timeline = 120'000.4});
  desk.apply(AddMark{});
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{120'000});
  desk.select("backward");  // begins at 500 us, but the mark goes to the mouse
  desk.ws.set_mouse({.on_timeline = 310'000.0});
  desk.apply(AddMark{});
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{120'000, 310'000});
  desk.ws.set_mouse({.on_timeline = 700'000.0});
  desk.apply(AddMark{});  // a second one elsewhere
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{120'000, 310'000, 700'000});
  desk.ws.set_mouse({.on_timeline = 311'000.0});  // a pixel from a mark counts as on it
  desk.apply(AddMark{});
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{120'000, 700'000});
  desk.ws.set_mouse({});
  desk.apply(AddMark{});  // the mouse is elsewhere: marks the selection
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{120'000, 500'000, 700'000});

  desk.ws.set_mouse({.on_timeline = 280'000.0});
  desk.apply(DeleteMark{});  // the nearest
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{500'000, 700'000});
  desk.apply(ZoomTo{{100'000, 300'000}});
  desk.apply(DeleteMark{});  // none in sight
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{500'000, 700'000});
  desk.apply(CloseAll{});
  CHECK(desk.ws.state().notes.marks().empty());
}

TEST_CASE("workspace: a restored mark is shown, even if another mark is in sight") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.apply(AddMark{150'000});
  desk.apply(AddMark{900'000});
  desk.apply(EditNote{EditNote::What::Delete, 1});
  desk.apply(ZoomTo{{100'000, 200'000}});
  desk.apply(EditNote{EditNote::What::Restore});
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{150'000, 900'000});
  const Viewport view = desk.ws.state().view();
  CHECK(view.begin < 900'000);
  CHECK(view.end() > 900'000);
  desk.apply(EditNote{EditNote::What::Delete, 1});
  desk.apply(EditNote{EditNote::What::Restore});  // it is in sight already
  CHECK(desk.ws.state().view() == view);
}

TEST_CASE("workspace: Escape closes one layer at a time") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.select("kernel");
  desk.apply(SelectRange{{0, 100}, {}});
  desk.apply(OpenSearch{});
  desk.apply(Search{"step"});
  desk.apply(OpenDialog{});
  desk.apply(ToggleHelp{});
  CHECK(desk.ws.state().boxes.help);
  desk.apply(ClearSelection{});
  CHECK(!desk.ws.state().boxes.help);
  CHECK(desk.ws.state().boxes.dialog);
  desk.apply(ClearSelection{});
  CHECK(!desk.ws.state().boxes.dialog);
  CHECK(desk.ws.state().boxes.search);
  desk.apply(ClearSelection{});
  CHECK(!desk.ws.state().boxes.search);
  CHECK(desk.ws.search().hits().spread().hits == 0);
  CHECK(desk.ws.state().selection.range);
  desk.apply(ClearSelection{});
  CHECK(!desk.ws.state().selection.range);
  CHECK(desk.selected() == "kernel");
  desk.apply(ClearSelection{});
  CHECK(desk.selected() == "none");
  CHECK(!desk.ws.state().selected.details);
}

TEST_CASE("workspace: after closing, another file opens with nothing left of the first") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.select("kernel");
  desk.apply(ZoomTo{{100'000, 300'000}});
  desk.apply(CloseAll{});
  CHECK(!desk.ws.session().anything_open());
  CHECK(desk.ws.trace().slice_count == 0);
  CHECK(desk.selected() == "none");
  desk.apply(NextHit{true});
  desk.apply(FitAll{});
  desk.open({folder.path("nothing.json")});
  CHECK(desk.ws.trace().slice_count == 0);
  CHECK(!desk.ws.session().anything_open());
  CHECK(desk.ws.take_notice() == folder.path("nothing.json") + ": no such file or folder (check the path)");
  desk.open({chrome_fixture("object_form.json")});
  CHECK(desk.shows_everything());
  CHECK(desk.ws.trace().slice_count == 2);
  desk.apply(Back{});  // not to a view of another file
  CHECK(desk.shows_everything());
}
