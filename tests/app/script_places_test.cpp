// Where a script puts the mouse.
#include "app/stage/script/script_places.h"

#include <doctest/doctest.h>

#include "tests/session/trace_files.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

void give(HeadlessStage& stage, Command command) {
  stage.interface().commands().push(std::move(command));
  stage.frames(1);
  stage.wait_until_loaded();
  stage.settle();
}

}  // namespace

TEST_CASE("script_places: a slice outside the shown time is not on the screen, and a partly visible one is") {
  const TempDir folder;
  const std::string events = event("first", 0, 10) + "," + event("whole", 20, 60) + "," + event("last", 90, 10);
  const std::string path = folder.write("a.json", "[" + events + "]");
  Options options;
  options.verb = Verb::Script;
  HeadlessStage stage(options);
  give(stage, command::OpenPaths{{path}, false, false});
  for (const char* name : {"first", "whole", "last"}) CHECK(place_of_slice(stage, name, {}));
  give(stage, command::ZoomTo{{60 * kMicrosecond, 70 * kMicrosecond}});
  const Area lanes = stage.interface().lanes_area(stage.half());
  for (const char* name : {"first", "last"}) {
    CAPTURE(name);
    CHECK(!place_of_slice(stage, name, {}));
    const std::vector<std::string> words{"slice", name};
    const auto place = place_in_window(stage, words);
    REQUIRE(!place.ok());
    CHECK(place.error().message == std::string("not on the screen: ") + name);
  }
  const auto part = place_of_slice(stage, "whole", {});
  REQUIRE(part);
  CHECK(part->x == doctest::Approx(lanes.x + lanes.width / 2));
}
