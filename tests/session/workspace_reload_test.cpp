// View, selection and marks when a new snapshot arrives.
#include <doctest/doctest.h>

#include "core/query/lane_gaps.h"
#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

TEST_CASE("workspace: a view of everything grows with the loaded files, any other view stays") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  const std::string later = steps(folder, "later.json", 5000);

  desk.apply(ZoomBy{10, 0.3});  // zoomed out as far as possible, which is not quite what FitAll shows
  desk.ws.session().open({later}, true);  // as an intermediate snapshot does: no other view was requested
  desk.wait();
  CHECK(reachable_extent(desk.ws.trace()).end == 6 * kMillisecond);
  CHECK(desk.shows_everything());

  desk.apply(ZoomTo{{100'000, 300'000}});
  desk.ws.session().open({steps(folder, "last.json", 9000)}, true);
  desk.wait();
  CHECK(reachable_extent(desk.ws.trace()).end == 10 * kMillisecond);
  CHECK(desk.ws.state().view() == Viewport{100'000, 200'000});

  // An earlier beginning moves the origin; the view stays where it is.
  desk.ws.session().open({steps(folder, "first.json", -2000)}, true);
  desk.wait();
  CHECK(desk.ws.state().view() == Viewport{2'100'000, 200'000});
}

TEST_CASE("workspace: going back to a view of everything lets it grow again, going back from it does not") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.apply(ZoomTo{{100'000, 300'000}});
  desk.apply(Back{});
  CHECK(desk.shows_everything());
  desk.ws.session().open({steps(folder, "later.json", 5000)}, true);
  desk.wait();
  CHECK(desk.shows_everything());

  desk.apply(ZoomTo{{100'000, 300'000}});
  desk.apply(FitAll{});
  desk.apply(Back{});
  CHECK(desk.ws.state().view() == Viewport{100'000, 200'000});
  desk.ws.session().open({steps(folder, "last.json", 9000)}, true);
  desk.wait();
  CHECK(desk.ws.state().view() == Viewport{100'000, 200'000});
}

TEST_CASE("workspace: selection, area and marks survive a new snapshot with another origin") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.select("kernel");
  desk.apply(SelectRange{{100, 200}, {}});
  desk.apply(AddMark{700});
  desk.apply(Search{"wa"});
  desk.ws.session().open({steps(folder, "first.json", -2000)}, true);
  desk.wait();
  CHECK(desk.selected() == "kernel");
  CHECK(desk.ws.trace().begin_of(desk.ws.state().selection.slice) == 2'150'000);
  REQUIRE(desk.ws.state().selected.details);
  CHECK(desk.ws.state().selected.details->begin == 2'150'000);
  CHECK(*desk.ws.state().selection.range == TimeRange{2'000'100, 2'000'200});
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{2'000'700});
  CHECK(desk.ws.search().hits().spread().hits == 6);
}

TEST_CASE("workspace: why a GPU did nothing in a gap is said once the GPU is analysed, also for every later snapshot") {
  const TempDir folder;
  const auto kernel = [](std::string_view name, int ts_us) {
    return R"({"ph":"X","cat":"kernel","name":")" + std::string(name) + R"(","pid":0,"tid":7,"ts":)" + std::to_string(ts_us) +
           R"(,"dur":20,"args":{"device":0,"stream":7}})";
  };
  const std::string path = folder.write("rank0.json", "[" + kernel("first", 10) + "," + kernel("second", 100) + "]");
  TestDesk desk;
  desk.ws.apply(OpenPaths{{path}});
  wait_until([&] { return !desk.ws.session().status().running(); });
  desk.frame();
  CHECK(desk.ws.run().pending());
  const SliceId first = slice_named(desk.ws.trace(), "first");
  REQUIRE(first != kNone<SliceId>);
  const LaneId stream = desk.ws.trace().row(desk.ws.trace().row_of(first)).lane;
  const auto gap = gap_at(desk.ws.trace(), stream, desk.ws.trace().end_of(first) + 1);
  REQUIRE(gap);
  desk.ws.apply(SelectGap{*gap});
  const auto is_explained = [&] {
    desk.wait_for_all();
    REQUIRE(desk.ws.state().selected.gap);
    CHECK(desk.ws.state().selected.gap->gap.time.length() == 70 * kMicrosecond);
    std::string why;
    for (const std::string& reason : desk.ws.state().selected.gap->reasons) why += reason + "\n";
    CHECK(why.find("did nothing at all in this time") != std::string::npos);
  };
  is_explained();
  const std::uint64_t before = desk.ws.snapshot().generation;
  desk.ws.apply(Reload{});
  is_explained();
  CHECK(desk.ws.snapshot().generation > before);
  desk.ws.session().open({steps(folder)}, true);
  is_explained();
}
