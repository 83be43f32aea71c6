// Going to places, gaps, measured spans, several slices, times: user commands, without the window.
#include <doctest/doctest.h>

#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

// Slices at 0, 300, 350 and 1,000 µs on one lane, and one of 900 µs on another.
std::string gappy(const TempDir& folder) {
  return folder.write("gappy.json", "[" + event("one", 0, 100) + "," + event("two", 300, 50) + "," +
                                        event("three", 350, 100) + "," + event("four", 1000, 100) + "," +
                                        event("beside", 50, 900, 3) + "]");
}

}  // namespace

TEST_CASE("places: NextGap goes through the gaps of the selected slice's lane by size") {
  const TempDir folder;
  TestDesk desk;
  desk.open({gappy(folder)});
  desk.select("two");
  desk.apply(NextGap{true});
  REQUIRE(desk.ws.state().selected.gap);
  CHECK(!desk.ws.state().selection.has_slice());
  CHECK(desk.ws.state().selected.gap->gap.time == TimeRange{450'000, 1'000'000});
  CHECK(desk.ws.state().selected.gap->before.name == "three");
  CHECK(desk.ws.state().selected.gap->after.name == "four");
  CHECK(desk.ws.state().selected.gap->place == "the longest of 2 on this lane");
  REQUIRE(desk.ws.state().selected.gap->meanwhile.size() == 1);
  CHECK(desk.ws.state().selected.gap->meanwhile[0].name == "beside");
  CHECK(desk.ws.state().view() == Viewport{395'000, 660'000});  // a tenth on both sides
  desk.apply(NextGap{true});
  CHECK(desk.ws.state().selected.gap->gap.time == TimeRange{100'000, 300'000});
  CHECK(desk.ws.state().selected.gap->place == "the 2nd longest of 2 on this lane");
  desk.apply(NextGap{true});
  CHECK(desk.ws.state().selected.gap->gap.time.begin == 100'000);
  CHECK(desk.ws.take_notice() == "there is no shorter gap");
  desk.apply(NextGap{false});
  CHECK(desk.ws.state().selected.gap->gap.time.begin == 450'000);
  desk.apply(RangeOfSelection{});
  CHECK(desk.ws.state().selection.range == TimeRange{450'000, 1'000'000});
  desk.apply(ClearSelection{});
  CHECK(desk.ws.state().selected.gap);
  desk.apply(ClearSelection{});
  CHECK(!desk.ws.state().selected.gap);
}

TEST_CASE("places: NextGap goes through the gaps of all shown lanes when nothing is selected") {
  const TempDir folder;
  TestDesk desk;
  desk.open({gappy(folder)});
  for (int i = 0; i < 3; ++i) desk.apply(NextGap{true});
  CHECK(desk.ws.state().selected.gap->gap.time == TimeRange{100'000, 300'000});
  CHECK(desk.ws.state().selected.gap->place == "the 2nd longest of the lanes shown");
  desk.apply(CopyText{});
  const auto copied = desk.ws.take_requests().copies;
  REQUIRE(copied.size() == 1);
  CHECK(copied[0].find("after: one\nbefore: two\n") != std::string::npos);
  // Selecting a slice clears the earlier selection.
  desk.select("one");
  CHECK(!desk.ws.state().selected.gap);
  CHECK(!desk.ws.state().selection.gap);
}

TEST_CASE("places: the length of several selected slices does not depend on a selected area") {
  const TempDir folder;
  TestDesk desk;
  desk.open({gappy(folder)});
  desk.apply(SelectRange{{0, 100'000}, {}});
  for (const char* const name : {"one", "three", "two"}) desk.apply(AddSlice{slice_named(desk.ws.trace(), name)});
  REQUIRE(desk.ws.differences().size() == 3);
  CHECK(desk.ws.differences()[2] == "all 3: 450 µs from the first begin to the last end");
}

TEST_CASE("places: the times between several selected slices are shown") {
  const TempDir folder;
  TestDesk desk;
  desk.open({gappy(folder)});
  const auto slice = [&](std::string_view name) { return slice_named(desk.ws.trace(), name); };
  desk.apply(AddSlice{slice("one")});
  CHECK(desk.selected() == "one");
  desk.apply(AddSlice{slice("three")});
  REQUIRE(desk.ws.differences().size() == 1);
  CHECK(desk.ws.differences()[0] == "three begins 350 µs after one begins, 250 µs after its end");
  desk.apply(AddSlice{slice("two")});
  CHECK(desk.ws.differences()[1] == "two begins 50 µs before three begins, 150 µs before its end");
  CHECK(desk.ws.differences()[2] == "all 3: 450 µs from the first begin to the last end");
  desk.apply(FitSelection{});
  CHECK(desk.ws.state().view() == fit({0, 450'000}, reachable_extent(desk.ws.trace()), kSelectionMargin));
  desk.apply(AddSlice{slice("three")});
  CHECK(desk.ws.differences() == std::vector<std::string>{"two begins 300 µs after one begins, 200 µs after its end"});
  desk.apply(AddSlice{slice("one")});  // the next takes its place
  CHECK(desk.selected() == "two");
  CHECK(desk.ws.differences().empty());
  desk.apply(AddSlice{slice("two")});
  CHECK(!desk.ws.state().selection.has_slice());
}

TEST_CASE("places: several selected slices are found again after a reload") {
  const TempDir folder;
  TestDesk desk;
  desk.open({gappy(folder)});
  desk.apply(AddSlice{slice_named(desk.ws.trace(), "one")});
  desk.apply(AddSlice{slice_named(desk.ws.trace(), "four")});
  desk.apply(Reload{});
  desk.wait();
  CHECK(desk.selected() == "one");
  REQUIRE(desk.ws.state().selection.also.size() == 1);
  CHECK(name_of(desk.ws.trace(), desk.ws.state().selection.also[0]) == "four");
}

TEST_CASE("places: a selected slice that a reload lacks comes back with the file, and the others stay") {
  const TempDir folder;
  TestDesk desk;
  const std::string path = gappy(folder), text = read_file(path);
  desk.open({path});
  for (const char* name : {"one", "two", "four"}) desk.apply(AddSlice{slice_named(desk.ws.trace(), name)});
  const std::vector<std::string> differences = desk.ws.differences();
  CHECK(differences.size() == 3);
  std::string without = text;
  without.replace(without.find("two"), 3, "gap");  // of the same length, so that the other records keep their offsets
  folder.write("gappy.json", without);
  desk.apply(Reload{});
  desk.wait();
  REQUIRE(desk.ws.differences().size() == 1);
  CHECK(desk.ws.differences()[0].starts_with("four begins "));
  folder.write("gappy.json", text);
  desk.apply(Reload{});
  desk.wait();
  CHECK(desk.ws.differences() == differences);
}

TEST_CASE("places: SelectSameName selects all slices of one name and sums them up") {
  const TempDir folder;
  TestDesk desk;
  desk.open({folder.write(
      "names.json", "[" + event("gemm", 0, 10) + "," + event("copy", 20, 10) + "," + event("gemm", 40, 30) + "]")});
  desk.select("gemm");
  desk.apply(SelectSameName{});
  desk.wait_for_all();
  CHECK(desk.ws.same_name() == "2 of this name: 40 µs in all, 20 µs on average, the longest 30 µs");
  CHECK(desk.ws.state().selection.same_name == desk.ws.trace().label_of(desk.ws.state().selection.slice));
  desk.apply(ClearSelection{});
  CHECK(desk.ws.same_name().empty());
  CHECK(desk.selected() == "gemm");
}

TEST_CASE("places: Shift+click selects from one slice to another of the lane") {
  const TempDir folder;
  TestDesk desk;
  desk.open({gappy(folder)});
  const auto slice = [&](std::string_view name) { return slice_named(desk.ws.trace(), name); };
  desk.apply(SelectThrough{slice("one")});  // nothing was selected, so this slice is
  CHECK(desk.selected() == "one");
  CHECK(!desk.ws.state().selection.stretch);
  desk.apply(AddSlice{slice("two")});
  desk.apply(SelectThrough{slice("three")});
  CHECK(desk.selected() == "one");
  CHECK(desk.ws.state().selection.also.empty());
  REQUIRE(desk.ws.state().selection.stretch);
  desk.wait_for_all();
  REQUIRE(desk.ws.differences().size() == 3);
  CHECK(desk.ws.differences()[0].starts_with("3 slices of this lane: "));
  CHECK(desk.ws.differences()[1].starts_with("the last begins 350 µs after the first; "));
  CHECK(desk.ws.differences()[2] == "1 gap between them: 200 µs in all, the longest 200 µs");
  desk.apply(FitSelection{});
  CHECK(desk.ws.state().view().begin < 0.0);
  desk.apply(AddSlice{slice("four")});
  CHECK(!desk.ws.state().selection.stretch);
  CHECK(desk.ws.differences().size() == 1);
  desk.apply(SelectThrough{slice("three")});
  desk.apply(ClearSelection{});
  CHECK(!desk.ws.state().selection.has_slice());
  CHECK(desk.ws.differences().empty());
}

TEST_CASE("places: measured spans stay until they are deleted") {
  const TempDir folder;
  TestDesk desk;
  desk.open({gappy(folder)});
  desk.apply(KeepSpan{});
  CHECK(desk.ws.state().notes.spans().empty());
  desk.apply(SelectRange{{100'000, 250'000}, {}});
  desk.apply(KeepSpan{});
  desk.apply(KeepSpan{});  // the same span is kept once
  desk.apply(ClearSelection{});
  desk.select("four");
  desk.apply(KeepSpan{});
  CHECK(desk.ws.state().notes.spans() == std::vector<TimeRange>{{100'000, 250'000}, {1'000'000, 1'100'000}});
  desk.apply(AddMark{600'000});
  desk.apply(FitAll{});
  desk.apply(Reload{});
  desk.wait();
  CHECK(desk.ws.state().notes.spans().size() == 2);
  desk.ws.set_mouse({.on_timeline = 240'000});
  desk.apply(DeleteMark{});
  CHECK(desk.ws.state().notes.spans() == std::vector<TimeRange>{{1'000'000, 1'100'000}});
  CHECK(desk.ws.state().notes.marks().size() == 1);
  desk.ws.set_mouse({.on_timeline = 650'000});
  desk.apply(DeleteMark{});
  CHECK(desk.ws.state().notes.marks().empty());
  desk.apply(ZoomTo{{0, 200'000}});  // the last is out of sight
  desk.apply(DeleteMark{});
  CHECK(desk.ws.state().notes.spans().size() == 1);
}

TEST_CASE("places: the go-to box stays open with a complaint until a place is found") {
  const TempDir folder;
  TestDesk desk;
  desk.open({gappy(folder)});
  desk.apply(OpenGoTo{});
  CHECK(desk.ws.state().boxes.go_to);
  desk.apply(GoTo{"step 3"});
  CHECK(desk.ws.state().boxes.go_to);
  CHECK(desk.ws.state().boxes.go_to_complaint == "there is no step 3 (no open file numbers its steps)");
  desk.apply(GoTo{"700us"});
  CHECK(!desk.ws.state().boxes.go_to);
  CHECK(desk.ws.state().boxes.go_to_complaint.empty());
  CHECK(desk.ws.state().view().begin + desk.ws.state().view().span / 2 == doctest::Approx(700'000));
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{700'000});
  desk.apply(OpenGoTo{});
  desk.apply(ClearSelection{});
  CHECK(!desk.ws.state().boxes.go_to);
}

TEST_CASE("places: T cycles through the time formats that apply") {
  const TempDir folder;
  TestDesk desk;
  desk.open({folder.write("steps.json",
                          "[" + event("ProfilerStep#4", 0, 100) + "," + event("ProfilerStep#5", 200, 100) + "]")});
  wait_until([&] {
    desk.frame();
    return !desk.ws.run().pending();
  });
  CHECK(desk.ws.state().time_style().format == TimeFormat::SinceBegin);
  desk.apply(SetTimeFormat{});
  CHECK(desk.ws.state().time_style().format == TimeFormat::SinceStep);
  CHECK(desk.ws.state().time_style().of == "ProfilerStep#4");
  desk.apply(NextStep{true});
  desk.apply(NextStep{true});
  CHECK(desk.ws.state().time_style().of == "ProfilerStep#5");
  CHECK(desk.ws.state().time_style().zero == 200'000);
  desk.apply(SetTimeFormat{});
  CHECK(desk.ws.state().time_style().format == TimeFormat::SinceBegin);
  CHECK(desk.ws.state().time_style().zero == 0);
}
