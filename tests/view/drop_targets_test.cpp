// Where files can be dropped.
#include <doctest/doctest.h>

#include <random>

#include "core/view/lanes/drop_targets.h"

using namespace tv;

TEST_CASE("drop targets: there is one while nothing is open, else three, side by side or stacked") {
  const auto alone = drop_targets(1366, 768, 1, "");
  REQUIRE(alone.size() == 1);
  CHECK(alone[0].title == "Open");
  const auto wide = drop_targets(1366, 768, 1, "steps.json");
  REQUIRE(wide.size() == 3);
  CHECK(wide[0].y == wide[1].y);
  CHECK(wide[0].x + wide[0].width < wide[1].x);
  CHECK(wide[0].hint == "steps.json is closed");
  const auto narrow = drop_targets(500, 700, 1, "steps.json");
  CHECK(narrow[0].x == narrow[1].x);
  CHECK(narrow[0].y + narrow[0].height < narrow[1].y);
}

TEST_CASE("drop targets: in any window they do not overlap, each is hit at its centre, and Shift always adds") {
  constexpr unsigned kSeed = 5;
  INFO("seed ", kSeed);
  std::mt19937 random(kSeed);
  const auto any = [&](float from, float to) { return std::uniform_real_distribution<float>(from, to)(random); };
  for (int round = 0; round < 300; ++round) {
    const float width = any(60, 4000), height = any(60, 2500), scale = any(0.6f, 3);
    const auto targets = drop_targets(width, height, scale, round % 4 == 0 ? "" : "a");
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const DropTarget& t = targets[i];
      CHECK((t.x >= 0 && t.y >= 0 && t.x + t.width <= width + 2 && t.y + t.height <= height + 2));
      CHECK(drop_target_at(targets, t.x + t.width / 2, t.y + t.height / 2, false) == i);
      for (std::size_t j = 0; j < i; ++j) {
        const DropTarget& o = targets[j];
        const bool apart = o.x + o.width <= t.x || o.y + o.height <= t.y;
        CHECK(apart);
      }
    }
    const std::size_t shifted = drop_target_at(targets, any(0, width), any(0, height), true);
    CHECK((targets.size() == 1 || targets[shifted].how == OpenHow::Add));
    // Left of all targets, the first one counts.
    CHECK(drop_target_at(targets, 0, targets[0].y + 1, false) == 0);
  }
}
