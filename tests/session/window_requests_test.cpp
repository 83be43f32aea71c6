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
        "1 slice in 1.5 µs; busy 1.5 µs (100.0 %), idle 0 ns (0.0 %); total and self count only the part inside the "
        "range (slices that reach beyond it: 1); lengths are those of whole slices\n"
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

TEST_CASE("workspace: what is selected is copied as Markdown: slices and gaps as two columns, an area as its statistics") {
  const TempDir folder;
  TestDesk desk;
  desk.open({folder.write("two.json", "[" + event("f<4>", 0, 100) + "," + event("my_op: b|c", 300, 50) + "]")});
  const auto copied = [&] {
    desk.apply(CopyMarkdown{});
    const std::vector<std::string> copies = desk.ws.take_requests().copies;
    return copies.empty() ? std::string() : copies.back();
  };
  CHECK(copied().empty());
  desk.select("f<4>");
  desk.apply(AddSlice{slice_named(desk.ws.trace(), "my_op: b|c")});
  const std::string slices = copied();
  CHECK(slices.starts_with("|  | f\\<4\\> |\n|---|---|\n| lane | "));
  CHECK(slices.find("\n| duration | 100 µs |\n| self | 100 µs |\n") != std::string::npos);
  CHECK(slices.ends_with("\n|  | my_op: b\\|c begins 300 µs after f\\<4\\> begins, 200 µs after its end |\n"));
  for (int layer = 0; layer < 3; ++layer) desk.apply(ClearSelection{});
  desk.apply(NextGap{});
  CHECK(copied().find("| after | f\\<4\\> |\n| before | my_op: b\\|c |\n") != std::string::npos);
  desk.apply(SelectRange{{0, 120'000}, {}});
  CHECK(copied() ==
        "area 0 ns .. 120.000 µs (120 µs)\n\n"
        "1 slice in 120 µs; busy 100 µs (83.3 %), idle 20 µs (16.7 %)\n\n"
        "| name | category | count | total | self | share | busy | min | mean | median | p90 | p95 | p99 | max | std |\n"
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        "| f\\<4\\> |  | 1 | 100 µs | 100 µs | 100.0 % | 100 µs | 100 µs | 100 µs | 100 µs | 100 µs | 100 µs | 100 µs | 100 µs "
        "| - |\n");
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
