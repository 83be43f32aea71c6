// Open files stay if what should replace them cannot be shown.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

// A desk with an open trace, zoomed in, with a selected slice, a range and a mark.
struct AtWork {
  TempDir folder;
  TestDesk desk;
  std::string good = steps(folder);

  AtWork() {
    desk.open({good});
    desk.select("kernel");
    desk.apply(AddMark{700});
    desk.apply(SelectRange{{100, 200}, {}});
    desk.apply(ZoomTo{{100'000, 300'000}});
    static_cast<void>(desk.ws.take_notice());
  }
  void check_all_is_there() {
    CHECK(desk.ws.session().paths() == std::vector<std::string>{good});
    CHECK(desk.ws.trace().slice_count == 5);
    CHECK(desk.selected() == "kernel");
    REQUIRE(desk.ws.state().selected.details);
    CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{700});
    REQUIRE(desk.ws.state().selection.range);
    CHECK(*desk.ws.state().selection.range == TimeRange{100, 200});
    CHECK(desk.ws.state().view() == Viewport{100'000, 200'000});
    CHECK(!desk.ws.session().status().running());
    CHECK(desk.ws.snapshot().complete);
  }
};

}  // namespace

TEST_CASE("workspace: a path that does not exist is reported and changes nothing") {
  AtWork work;
  work.desk.apply(OpenDialog{});
  for (const bool add : {false, true}) {
    work.desk.open({"/no/such/file.json"}, add);
    CHECK(work.desk.ws.take_notice() == "/no/such/file.json: no such file or folder (check the path)");
    CHECK(work.desk.ws.state().boxes.dialog);  // stays open, so that the user can correct the path
    work.check_all_is_there();
  }
  work.desk.open({"http://host/trace.json"});
  CHECK(work.desk.ws.take_notice().find("a web address") != std::string::npos);
  work.check_all_is_there();
}

TEST_CASE("workspace: a file that is not a trace, or an empty folder, is reported and changes nothing") {
  AtWork work;
  const std::string notes = work.folder.write("notes.txt", "hello\n");
  work.desk.open({notes});
  CHECK(work.desk.ws.take_notice().starts_with(notes + ": "));
  work.check_all_is_there();
  const std::string bare = work.folder.path("bare");
  std::filesystem::create_directories(bare);
  work.desk.open({bare});
  CHECK(work.desk.ws.take_notice() == "there are no files in " + bare + " (hidden files are not read)");
  work.check_all_is_there();
  // The next trace opens as usual.
  work.desk.open({work.folder.write("next.json", "[" + event("next", 0, 1000) + "]")});
  CHECK(work.desk.ws.take_notice().empty());
  CHECK(work.desk.ws.trace().slice_count == 1);
  CHECK(work.desk.shows_everything());
}

TEST_CASE("workspace: a wrong path among good ones is reported, and the others are opened") {
  AtWork work;
  const std::string next = work.folder.write("next.json", "[" + event("next", 0, 1000) + "]");
  work.desk.open({"/no/such/file.json", next});
  CHECK(work.desk.ws.take_notice().find("/no/such/file.json") != std::string::npos);
  CHECK(work.desk.ws.trace().slice_count == 1);
  CHECK(work.desk.shows_everything());
}

TEST_CASE("workspace: file URLs, as file managers drop them, are opened") {
  AtWork work;
  const std::string next = work.folder.write("next one.json", "[" + event("next", 0, 1000) + "]");
  work.desk.open({"file://" + work.folder.path("next%20one.json")}, true);
  CHECK(work.desk.ws.session().paths() == std::vector<std::string>{work.good, next});
  CHECK(work.desk.ws.trace().slice_count == 6);
}
