// What stands where lanes would be, when none is shown: why, and how they come back.
#include "core/view/lanes/lane_titles.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("lane_titles: without lanes it is said why, and what to do") {
  const NoLanesWords hidden = no_lanes_words("", "", "Ctrl+Shift+X");
  CHECK(hidden.why == "All lanes are hidden");
  CHECK(hidden.remedy == "Ctrl+Shift+X shows them again");
  const NoLanesWords filtered = no_lanes_words("勾配", "", "Ctrl+Shift+X");
  CHECK(filtered.why == "No lane has \"勾配\"");
  CHECK(filtered.remedy.find("Lanes") != std::string::npos);
  CHECK(no_lanes_words("/(/", "a bracket is open", "X").why == "a bracket is open");
}
