#include "app/window/start_messages.h"

#include <doctest/doctest.h>

#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

StartMessages said_of(std::vector<std::string> paths) {
  Options options;
  options.paths = std::move(paths);
  options.verbs = {"info", "stats", "screenshot"};
  return start_messages(options);
}

}  // namespace

TEST_CASE("start_messages: existing paths give no message") {
  const TempDir folder;
  const std::string file = folder.write("a.json", "[]");
  CHECK(said_of({}).text.empty());
  CHECK(!said_of({}).fatal);
  CHECK(said_of({file, folder.path()}).text.empty());
}

TEST_CASE("start_messages: wrong paths and unknown verbs are reported, and are fatal if nothing can be shown") {
  const TempDir folder;
  const std::string file = folder.write("a.json", "[]");
  CHECK(said_of({"nonexistent.json"}).text == "traceview: nonexistent.json: no such file or folder (check the path)\n");
  CHECK(said_of({"nonexistent.json"}).fatal);
  CHECK(!said_of({file, "nonexistent.json"}).fatal);  // the other can be shown
  CHECK(said_of({"inof", file}).text == "traceview: inof: no such file or folder, and not a verb; did you mean \"info\"?\n");
  CHECK(said_of({"inof", file}).fatal);
  CHECK(said_of({"compare", file, file}).text ==
        "traceview: compare: no such file or folder, and not a verb (the verbs are info, stats, screenshot)\n");
  CHECK(said_of({"compare", file, file}).fatal);
  CHECK(said_of({file, "info"}).text == "traceview: info: no such file or folder (check the path)\n");
  CHECK(said_of({"http://host/a.json"}).text.find("curl") != std::string::npos);
}

TEST_CASE("free_path: the result is a name that no file has") {
  const TempDir folder;
  const std::string path = folder.path("traceview.png");
  CHECK(free_path(path) == path);
  folder.write("traceview.png", "x");
  CHECK(free_path(path) == folder.path("traceview-2.png"));
  folder.write("traceview-2.png", "x");
  CHECK(free_path(path) == folder.path("traceview-3.png"));
}
