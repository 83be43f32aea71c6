// The title of a window while files are loaded.
#include <doctest/doctest.h>

#include "core/session/desk/window_title.h"
#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

TEST_CASE("window title: says that files are loading until they are shown") {
  const TempDir folder;
  const std::string first = folder.write("first.json", "[" + event("first", 0, 1000) + "]");
  test::TestDesk desk;
  CHECK(window_title(desk.ws) == "traceview");
  desk.ws.apply(OpenPaths{{first}});
  CHECK(window_title(desk.ws) == "loading first.json - traceview");  // the load may be over, but no frame has shown it
  desk.wait_for_all();
  CHECK(window_title(desk.ws) == "first.json - traceview");
}

TEST_CASE("window title: a file without lanes does not leave it at loading") {
  const TempDir folder;
  test::TestDesk desk;
  desk.ws.apply(OpenPaths{{folder.write("empty.json", "[]")}});
  desk.wait_for_all();
  CHECK(window_title(desk.ws).find("loading") == std::string::npos);
}
