// The shown state, as text and back: on the same files, on others, and from untrusted text.
#include <doctest/doctest.h>

#include <random>

#include "core/session/desk/view_state.h"
#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

// Three processes of two threads, with nested slices, equal names, gaps, overlaps and two identical slices.
std::string many_lanes(const TempDir& folder, const char* file = "here/lanes.json") {
  std::string text = "[";
  for (int pid = 1; pid <= 3; ++pid) {
    for (int tid = 1; tid <= 2; ++tid) {
      for (int i = 0; i < 6; ++i) {
        const auto add = [&](const std::string& name, int begin, int duration) {
          text += (text.size() > 1 ? "," : "") + std::string(R"({"ph":"X","cat":"c","name":")") + name + R"(","pid":)" +
                  std::to_string(pid) + R"(,"tid":)" + std::to_string(10 * pid + tid) + R"(,"ts":)" + std::to_string(begin) +
                  R"(,"dur":)" + std::to_string(duration) + "}";
        };
        add("step", 1000 * i, 700 + 10 * pid);
        add("op" + std::to_string(i % 2), 1000 * i + 100, 200);
        add("kernel", 1000 * i + 120, 50);
        if (i == 3) add("twin", 3600, 0);
        if (i == 3) add("twin", 3600, 0);
      }
    }
  }
  return folder.write(file, text + "]");
}


std::string state_of(const test::TestDesk& desk) { return view_state_json(desk.ws); }

// Applies random commands to the open files.
class Chance {
 public:
  Chance(test::TestDesk& desk, std::uint64_t seed) : desk_(desk), random_(static_cast<std::mt19937::result_type>(seed)) {}

  void command() {
    const Ns t = static_cast<Ns>(number(6000)) * 1000;
    switch (number(26)) {
      case 0: return desk_.apply(ZoomTo{{t, t + 400'000}});
      case 1: return desk_.apply(PanBy{static_cast<double>(number(9)) / 4 - 1});
      case 2: return desk_.apply(FitAll{});
      case 3: return desk_.apply(ToggleLane{lane()});
      case 4: return desk_.apply(ChooseLanes{ChooseLanes::What::Hide, {lane()}});
      case 5: return desk_.apply(ChooseLanes{ChooseLanes::What::Pin, {lane()}});
      case 6: return desk_.apply(ChooseLanes{ChooseLanes::What::Isolate, {lane(), lane()}});
      case 7: return desk_.apply(ChooseLanes{ChooseLanes::What::ShowAll, {}});
      case 8: return desk_.apply(SizeRows{lane(), RowSize::Tall});
      case 9: return desk_.apply(LimitDepth{lane(), static_cast<std::uint32_t>(1 + number(2))});
      case 10: return desk_.apply(SortLanes{static_cast<LaneSort>(number(kLaneSorts))});
      case 11: return desk_.apply(FilterLanes{number(2) ? "thread" : ""});
      case 12: return desk_.apply(ColorSlices{static_cast<ColorRule>(number(kColorRules))});
      case 13: return desk_.apply(SetTimeFormat{TimeFormat::Seconds});
      case 14: return desk_.apply(SelectSlice{slice(), number(2) == 0});
      case 15: return desk_.apply(AddSlice{slice()});
      case 16: return desk_.apply(SelectThrough{slice()});
      case 17: return desk_.apply(SelectSameName{});
      case 18: return desk_.apply(SelectRange{{t, t + 900'000}, {lane()}});
      case 19: return desk_.apply(NextGap{});
      case 20: return desk_.apply(ToggleOverview{});
      case 21: return desk_.apply(ScaleRows{number(2) ? 1.f : -1.f});
      case 22: return desk_.apply(ScrollBy{static_cast<double>(number(200)) + 0.3});
      case 23: return desk_.apply(AddMark{t});
      case 24: return desk_.apply(StoredView{1 + number(9), number(2) == 0});
      case 25:
        desk_.apply(KeepSpan{});
        desk_.apply(EditNote{EditNote::What::Rename, number(3), "note " + std::to_string(number(100))});
        return desk_.apply(EditNote{EditNote::What::Recolor, number(3), {}, static_cast<NoteColor>(number(kNoteColors))});
      default: return;
    }
  }
  std::size_t number(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }

 private:
  LaneId lane() { return id_at<LaneId>(number(desk_.ws.trace().lanes.size())); }
  SliceId slice() { return id_at<SliceId>(number(desk_.ws.trace().slices.size())); }

  test::TestDesk& desk_;
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("view state: any view is restored on a copy of its files") {
  const TempDir folder;
  const std::string path = many_lanes(folder), copy = many_lanes(folder, "there/lanes.json");
  for (const std::uint64_t seed : seeds(25)) {
    CAPTURE(seed);
    test::TestDesk desk, fresh;
    desk.geometry.height_px = fresh.geometry.height_px = 180;  // something to scroll
    desk.open({path});
    Chance chance(desk, seed);
    for (int c = 0; c < 14; ++c) chance.command();
    const std::string state = state_of(desk);
    fresh.open({copy});
    REQUIRE(apply_view_state(fresh.ws, state).ok());
    fresh.wait_for_all();
    CHECK(fresh.ws.take_notice().find("left out") == std::string::npos);
    CHECK(state_of(fresh) == state);
    CHECK(fresh.ws.state().view() == desk.ws.state().view());
    CHECK(fresh.ws.state().selection.slice == desk.ws.state().selection.slice);
  }
}

TEST_CASE("view state: it is applied once everything is read, and is unchanged until then") {
  const TempDir folder;
  const std::string path = many_lanes(folder);
  test::TestDesk desk, fresh;
  desk.open({path});
  desk.apply(ZoomTo{{1'000'000, 2'000'000}});
  desk.apply(AddMark{1'500'000});
  const std::string state = state_of(desk);
  CHECK(!apply_view_state(fresh.ws, state).ok());  // nothing is open
  fresh.ws.apply(OpenPaths{{path}});
  REQUIRE(apply_view_state(fresh.ws, state).ok());
  CHECK(state_of(fresh) == state);
  fresh.wait_for_all();
  CHECK(fresh.ws.state().view() == desk.ws.state().view());
  CHECK(fresh.ws.state().notes.marks() == std::vector<Ns>{1'500'000});
  CHECK(!fresh.ws.state().notes.unsaved());
  // Files opened in its place have their own view.
  fresh.open({steps(folder)});
  CHECK(fresh.ws.state().notes.marks().empty());
  CHECK(fresh.shows_everything());
}

TEST_CASE("view state: what the open files lack is left out and reported") {
  const TempDir folder;
  test::TestDesk desk, other;
  desk.open({many_lanes(folder)});
  desk.apply(ChooseLanes{ChooseLanes::What::Pin, {id_at<LaneId>(1), id_at<LaneId>(2)}});
  desk.select("kernel");
  desk.apply(AddMark{700'000});
  other.open({steps(folder)});
  REQUIRE(apply_view_state(other.ws, state_of(desk)).ok());
  other.wait_for_all();
  const std::string notice = other.ws.take_notice();
  CHECK(notice.find("left out of the view") != std::string::npos);
  CHECK(notice.find("selected slices: 1") != std::string::npos);
  CHECK(other.ws.state().lanes.state.pinned.empty());
  CHECK(other.ws.state().notes.marks() == std::vector<Ns>{700'000});
}

TEST_CASE("view state: clock offsets and clock placement are restored, unless the current ones are to be kept") {
  const TempDir folder;
  test::TestDesk desk, fresh;
  const std::string path = many_lanes(folder);
  desk.open({path});
  desk.apply(SetClocks{{{"lanes.json", 5 * kMillisecond}}});
  desk.wait();
  desk.apply(PlaceClocks{PlaceBy::Recorded});
  desk.wait();
  desk.apply(AddMark{100});
  REQUIRE(desk.ws.trace().sources.at(0).clock_offset == 5 * kMillisecond);
  fresh.open({path});
  REQUIRE(fresh.ws.trace().sources.at(0).clock_offset == 0);
  REQUIRE(apply_view_state(fresh.ws, state_of(desk)).ok());
  fresh.wait_for_all();
  CHECK(fresh.ws.session().read().clocks == desk.ws.session().read().clocks);
  CHECK(fresh.ws.session().read().place_by == PlaceBy::Recorded);
  CHECK(fresh.ws.trace().sources.at(0).clock_offset == 5 * kMillisecond);
  CHECK(state_of(fresh) == state_of(desk));
  test::TestDesk kept;
  kept.open({path});
  kept.apply(SetClocks{{{"lanes.json", 2 * kMillisecond}}});
  kept.wait();
  const ReadSettings before = kept.ws.session().read();
  REQUIRE(before.place_by != PlaceBy::Recorded);
  REQUIRE(apply_view_state(kept.ws, state_of(desk), ReadAs::Keep).ok());
  kept.wait_for_all();
  CHECK(kept.ws.session().read() == before);
  CHECK(kept.ws.trace().sources.at(0).clock_offset == 2 * kMillisecond);
  // The rest of the view is shown: the mark is at the same time of the clock.
  CHECK(kept.ws.state().notes.marks() == std::vector<Ns>{100 + desk.ws.trace().origin_ns - kept.ws.trace().origin_ns});
}

TEST_CASE("view state: single files that were closed stay closed") {
  const TempDir folder;
  for (const char* const name : {"a", "b", "c"}) {
    folder.write(std::string("run/") + name + ".json", R"([{"ph":"X","name":"work","pid":")" + std::string(name) + R"(","tid":1,"ts":1,"dur":1}])");
  }
  test::TestDesk desk, fresh;
  desk.open({folder.path("run")});
  desk.apply(CloseFiles{{folder.path("run/b.json")}});
  desk.wait();
  CHECK(desk.ws.trace().sources.size() == 2);
  fresh.open({folder.path("run")});
  CHECK(fresh.ws.trace().sources.size() == 3);
  REQUIRE(apply_view_state(fresh.ws, state_of(desk)).ok());
  fresh.wait_for_all();
  CHECK(fresh.ws.session().read().closed == std::set{folder.path("run/b.json")});
  CHECK(state_of(fresh) == state_of(desk));
  desk.apply(OpenClosed{});
  desk.wait();
  CHECK(desk.ws.trace().sources.size() == 3);
  // Closing each file of the folder closes the folder.
  desk.apply(CloseFiles{{folder.path("run/a.json"), folder.path("run/b.json"), folder.path("run/c.json")}});
  CHECK(desk.ws.session().paths().empty());
}

TEST_CASE("view state: a stored view is shown again by its number") {
  const TempDir folder;
  test::TestDesk desk;
  desk.open({many_lanes(folder)});
  desk.apply(StoredView{3});
  CHECK(desk.ws.take_notice() == "there is no view 3: Shift+3 stores what is shown");
  desk.apply(ZoomTo{{1'000'000, 2'000'000}});
  desk.apply(FilterLanes{"thread 11"});
  desk.apply(StoredView{3, true});
  CHECK(desk.ws.take_notice() == "view 3 is stored: Ctrl+3 shows it again");
  const Viewport view = desk.ws.state().view();
  desk.apply(FilterLanes{""});
  desk.apply(FitAll{});
  desk.apply(StoredView{3});
  CHECK(desk.ws.take_notice() == "view 3");
  CHECK(desk.ws.state().view() == view);
  CHECK(desk.ws.state().lanes.state.filter == "thread 11");
  desk.apply(Back{});
  CHECK(desk.shows_everything());
}

TEST_CASE("view state: text that is not a valid view gives an error and changes nothing") {
  const TempDir folder;
  test::TestDesk desk;
  desk.open({many_lanes(folder)});
  const std::string before = state_of(desk);
  for (const char* text :
       {"", "x", "[]", "{}", "7", "null", R"({"traceview_view":"1"})", R"({"traceview_view":0})", R"({"traceview_view":1.5})",
        R"({"traceview_view":1,"look":7})", R"({"traceview_view":1,"look":{"view":{"begin_ns":"a"}}})",
        R"({"traceview_view":1,"notes":[7]})", R"({"traceview_view":1,"notes":[{"name":7}]})",
        R"({"traceview_view":1,"look":{"lanes":{"folded":{"a":1}}}})", R"({"traceview_view":1,"origin_ns":1e999})",
        R"({"traceview_view":1,"selected":{"slice":[]}})", "{\"traceview_view\":1,\"x\":\"\xFF\"}"}) {
    CAPTURE(text);
    const auto done = apply_view_state(desk.ws, text);
    CHECK(!done.ok());
    if (!done.ok()) CHECK(done.error().text().starts_with("this view") != done.error().text().starts_with("this is not a view"));
    desk.settle();
    CHECK(state_of(desk) == before);
  }
  const auto newer = apply_view_state(desk.ws, R"({"traceview_view":2})");
  REQUIRE(!newer.ok());
  CHECK(newer.error().text().find("newer traceview") != std::string::npos);
  CHECK(apply_view_state(desk.ws, R"({"traceview_view":1,"unknown":{"a":[1]},"look":{"colour":"of tomorrow","glow":3}})").ok());
}

TEST_CASE("view state: randomly changed text does no harm") {
  const TempDir folder;
  test::TestDesk desk;
  desk.geometry.height_px = 180;
  desk.open({many_lanes(folder)});
  const std::uint64_t seed = seeds(1).front();
  CAPTURE(seed);
  Chance chance(desk, seed);
  for (int c = 0; c < 60; ++c) chance.command();
  const std::string state = state_of(desk);
  static constexpr std::string_view kPieces[] = {"0", "-1", "1e300", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
                                                 "\"\"", "{}", "[]", "null", "true", ",", "}", "\"", "\\u0000", "\xE4\xBD"};
  for (int i = 0; i < 400; ++i) {
    std::string text = state;
    for (std::size_t n = 1 + chance.number(3); n > 0; --n) {
      const std::size_t at = chance.number(text.size());
      switch (chance.number(4)) {
        case 0: text[at] = static_cast<char>(chance.number(256)); break;
        case 1: text.erase(at, 1 + chance.number(20)); break;
        case 2: text.insert(at, kPieces[chance.number(std::size(kPieces))]); break;
        default: {  // replaces a value: mostly stays valid JSON
          const std::size_t colon = text.find(": ", at);
          if (colon == std::string::npos) break;
          const std::size_t end = text.find_first_of(",\n", colon);
          text.replace(colon + 2, end - colon - 2, kPieces[chance.number(11)]);
        }
      }
      if (text.empty()) text = "{";
    }
    if (apply_view_state(desk.ws, text, ReadAs::Keep).ok()) {
      desk.frame();
      CHECK(apply_view_state(desk.ws, state_of(desk), ReadAs::Keep).ok());
      desk.frame();
    }
  }
}
