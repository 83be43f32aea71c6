// Coverage and values of scripts: a key counts only once an expectation follows it.
#include "app/stage/script/script_coverage.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "app/stage/script/script_values.h"

using namespace tv;

namespace {

bool has_used(const ScriptCoverage& coverage, const std::string& row) {
  const auto state = coverage.state();
  const auto used = state.at("used").get<std::vector<std::string>>();
  return std::ranges::find(used, row) != used.end();
}

}  // namespace

TEST_CASE("script coverage: a key or gesture counts with the expectation that follows it, not before") {
  ScriptCoverage coverage;
  const std::size_t rows = coverage.state().at("unused").size();
  coverage.pressed({Key::F5});
  coverage.pressed({Key::F12});
  CHECK(coverage.state().at("used").empty());
  coverage.expectation_held();
  CHECK(has_used(coverage, "F12: Picture of the window (PNG)"));
  CHECK(!has_used(coverage, "F5: Read the files again"));  // nothing was expected of it
  coverage.did({"drag", "lanes", kAlt});
  coverage.expectation_held();
  CHECK(has_used(coverage, "Drag (free)"));
  CHECK(!has_used(coverage, "Drag (snapping)"));
  coverage.did({"rightclick", "name"});
  coverage.did({"click", "item"});  // of its menu
  coverage.expectation_held();
  CHECK(has_used(coverage, "Right click on a lane's name"));
  CHECK(coverage.state().at("used").size() + coverage.state().at("unused").size() == rows);
}

TEST_CASE("script coverage: every gesture of the help can be made by a script") {
  const nlohmann::ordered_json state = ScriptCoverage().state();
  for (const std::string row : state.at("unused")) {
    CAPTURE(row);
    CHECK(row.find("scripts cannot make it") == std::string::npos);
  }
}

TEST_CASE("script values: kept values are substituted, and arithmetic is evaluated from the left") {
  ScriptValues values;
  values.keep("span", 200);
  values.keep("name", "load");
  CHECK(values.text_of("plain") == "plain");
  CHECK(values.text_of("$name") == "load");
  CHECK(values.text_of("$span") == "200");
  CHECK(values.text_of("$span*0.5+$span-1") == "299");
  CHECK(values.text_of("10+$span*2") == "420");
  CHECK(!values.text_of("$nothing"));
  CHECK(!values.text_of("$name*2"));
  CHECK(!values.text_of("$span*"));
}
