// Open files stay if their replacement turns out to be nothing.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

// A desk with a trace open, looked at somewhere, with a selection, marks, a filter.
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
    REQUIRE(desk.ws.selected().details);
    CHECK(desk.ws.notes().marks() == std::vector<Ns>{700});
    REQUIRE(desk.ws.selection().range);
    CHECK(*desk.ws.selection().range == TimeRange{100, 200});
    CHECK(desk.ws.view() == Viewport{100'000, 200'000});
    CHECK(!desk.ws.session().status().running());
    CHECK(desk.ws.snapshot().complete);
  }
};

}  // namespace

TEST_CASE("workspace: a path that does not exist changes nothing, and is said") {
  AtWork work;
  work.desk.apply(OpenDialog{});
  for (const bool add : {false, true}) {
    work.desk.open({"/no/such/file.json"}, add);
    CHECK(work.desk.ws.take_notice() == "/no/such/file.json: no such file or folder (check the path)");
    CHECK(work.desk.ws.boxes().dialog);  // to be corrected in
    work.check_all_is_there();
  }
  work.desk.open({"http://host/trace.json"});
  CHECK(work.desk.ws.take_notice().find("in the web") != std::string::npos);
  work.check_all_is_there();
}

TEST_CASE("workspace: files that are no traces, or an empty folder, change nothing") {
  AtWork work;
  const std::string notes = work.folder.write("notes.txt", "hello\n");
  work.desk.open({notes});
  CHECK(work.desk.ws.take_notice().starts_with(notes + ": "));
  work.check_all_is_there();
  const std::string bare = work.folder.path("bare");
  std::filesystem::create_directories(bare);
  work.desk.open({bare});
  CHECK(work.desk.ws.take_notice() == "there are no files in " + bare + " (hidden ones are not looked at)");
  work.check_all_is_there();
  // And what comes then is opened as ever.
  work.desk.open({work.folder.write("next.json", "[" + event("next", 0, 1000) + "]")});
  CHECK(work.desk.ws.take_notice().empty());
  CHECK(work.desk.ws.trace().slice_count == 1);
  CHECK(work.desk.shows_everything());
}

TEST_CASE("workspace: one wrong path among good ones is said, the others are opened") {
  AtWork work;
  const std::string next = work.folder.write("next.json", "[" + event("next", 0, 1000) + "]");
  work.desk.open({"/no/such/file.json", next});
  CHECK(work.desk.ws.take_notice().find("/no/such/file.json") != std::string::npos);
  CHECK(work.desk.ws.trace().slice_count == 1);
  CHECK(work.desk.shows_everything());
}

TEST_CASE("workspace: addresses of files, as file managers drop them") {
  AtWork work;
  const std::string next = work.folder.write("next one.json", "[" + event("next", 0, 1000) + "]");
  work.desk.open({"file://" + work.folder.path("next%20one.json")}, true);
  CHECK(work.desk.ws.session().paths() == std::vector<std::string>{work.good, next});
  CHECK(work.desk.ws.trace().slice_count == 6);
}
