// What commands request from the window itself.
#include <doctest/doctest.h>

#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

TEST_CASE("workspace: copies, screenshots, full screen and quitting are requested from the window") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.apply(CopyText{});  // nothing selected: nothing to copy
  CHECK(desk.ws.take_requests().copies.empty());
  desk.apply(SelectRange{{0, 1500}, {}});
  desk.apply(CopyText{});
  desk.apply(CopyText{"these words"});
  desk.apply(Screenshot{"a.png"});
  desk.apply(ToggleFullScreen{});
  desk.apply(Quit{});
  const WindowRequests requests = desk.ws.take_requests();
  REQUIRE(requests.copies.size() == 2);
  CHECK(requests.copies[0] ==
        "area 0 ns .. 1.500 µs (1.5 µs)\n"
        "1 slice in 1.5 µs; busy 1.5 µs (100.0 %), idle 0 ns (0.0 %); total and self are clipped to it (1 reach beyond), "
        "lengths are of whole slices\n"
        "name\tcategory\tcount\ttotal (ns)\tself (ns)\tshare (%)\tbusy (ns)\tmin (ns)\tmean (ns)\tmedian (ns)\tp90 (ns)\t"
        "p95 (ns)\tp99 (ns)\tmax (ns)\tstd (ns)\n"
        "step\t\t1\t1500\t1500\t100\t1500\t1000000\t1000000\t1000000\t1000000\t1000000\t1000000\t1000000\t\n");
  CHECK(requests.copies[1] == "these words");
  REQUIRE(requests.screenshots.size() == 1);
  CHECK(requests.screenshots[0].path == "a.png");
  CHECK(requests.toggle_full_screen);
  CHECK(requests.quit);
  CHECK(!desk.ws.take_requests().quit);  // each request is taken once
}

TEST_CASE("workspace: the table of problems is copied and saved with the lines of the files, which are read in the background") {
  const TempDir folder;
  TestDesk desk;
  desk.open({folder.write("odd.json", R"([
{"ph":"X","name":"load","pid":1,"tid":1,"ts":0,"dur":5},
{"ph":"X","name":"nowhere","pid":1,"tid":1,"ts":"soon","dur":5}
])")});
  desk.ws.apply(TakeProblems{});
  desk.ws.apply(TakeProblems{true});  // waits for the first one
  CHECK(desk.ws.answering());
  CHECK(desk.ws.take_requests().copies.empty());
  desk.wait_for_all();
  const WindowRequests requests = desk.ws.take_requests();
  REQUIRE(requests.copies.size() == 1);
  CHECK(requests.copies[0].starts_with("Severity\tWhat\tTimes\tFile\tLine\tText\n"));
  CHECK(requests.copies[0].find("odd.json\t3\t") != std::string::npos);
  REQUIRE(requests.files.size() == 1);
  CHECK(requests.files[0].name == "problems.csv");
  CHECK(requests.files[0].text.find("odd.json,3,") != std::string::npos);
}
