// Places of panels: every panel in at most one place, whatever happens; a panel without data is replaced.
#include "core/view/panels/panel_layout.h"

#include <doctest/doctest.h>

#include <random>
#include <set>

#include "tests/support/gen_trace.h"

using namespace tv;

namespace {

bool all_have_data(std::string_view) { return true; }

// All panels of a layout, with duplicates.
std::multiset<std::string> placed(const PanelLayout& layout) {
  std::multiset<std::string> out;
  for (const std::string& id : {layout.left, layout.right, layout.side}) {
    if (!id.empty()) out.insert(id);
  }
  for (const OwnPanel& panel : layout.own) out.insert(panel.id);
  return out;
}

bool none_twice(const std::multiset<std::string>& ids) { return std::set<std::string>(ids.begin(), ids.end()).size() == ids.size(); }

}  // namespace

TEST_CASE("panel layout: a panel is shown in its place, or in the left half if it has none") {
  PanelLayout layout;
  layout.drawer = false;
  show_panel(layout, "cdf");
  CHECK(layout.left == "cdf");
  CHECK(layout.drawer);
  move_panel(layout, "details", PanelPlace::Right);
  CHECK(layout.right_in_front);
  show_panel(layout, "cdf");
  CHECK(!layout.right_in_front);
  show_panel(layout, "details");
  CHECK(layout.right == "details");
  CHECK(layout.left == "cdf");
  CHECK(layout.right_in_front);
}

TEST_CASE("panel layout: moving a panel leaves no gap and no duplicate") {
  PanelLayout layout;
  layout.left = "cdf";
  layout.right = "details";
  SUBCASE("into the other half: the two panels swap") {
    move_panel(layout, "cdf", PanelPlace::Right);
    CHECK(layout.left == "details");
    CHECK(layout.right == "cdf");
    move_panel(layout, "cdf", PanelPlace::Left);
    CHECK(layout.left == "cdf");
    CHECK(layout.right == "details");
  }
  SUBCASE("to the side: the other half becomes the left one") {
    move_panel(layout, "cdf", PanelPlace::Side);
    CHECK(layout.side == "cdf");
    CHECK(layout.left == "details");
    CHECK(layout.right.empty());
  }
  SUBCASE("into a window of its own, and back") {
    move_panel(layout, "cdf", PanelPlace::Own);
    REQUIRE(layout.own.size() == 1);
    CHECK(layout.left == "details");
    move_panel(layout, "blame", PanelPlace::Own);
    CHECK(layout.own[1].y > layout.own[0].y);  // the first one's title is not hidden
    show_panel(layout, "cdf");
    CHECK(layout.own.back().id == "cdf");
    move_panel(layout, "cdf", PanelPlace::Left);
    CHECK(layout.left == "cdf");
    CHECK(layout.own.size() == 1);
  }
}

TEST_CASE("panel layout: closing one half leaves the other, and closing the last one closes the drawer") {
  PanelLayout layout;
  layout.left = "cdf";
  layout.right = "details";
  close_panel(layout, "cdf");
  CHECK(layout.left == "details");
  CHECK(layout.right.empty());
  close_panel(layout, "details");
  CHECK(!layout.drawer);
  show_panel(layout, "cdf");
  layout.right = "details";
  close_panel(layout, "details");
  CHECK(layout.drawer);
  CHECK(!layout.beside);  // the user did not want it there
}

TEST_CASE("panel layout: a panel without data is replaced, and gets its place back when there is data") {
  PanelLayout layout;
  layout.left = "gpu";
  layout.right = "statistics";
  layout.side = "kernels";
  layout.own.push_back({"pace"});
  const auto only_logs = [](std::string_view id) { return id == "statistics" || id == "training" || id == "problems"; };
  const ShownPanels shown = shown_panels(layout, only_logs, {"statistics", "training"});
  CHECK(shown.left == "training");  // statistics are in the right half already
  CHECK(shown.right == "statistics");
  CHECK(shown.side.empty());
  CHECK(shown.own.empty());
  const ShownPanels all = shown_panels(layout, all_have_data, {"statistics"});
  CHECK(all.left == "gpu");
  CHECK(all.side == "kernels");
  CHECK(all.own.size() == 1);
  // With nothing in the left half, only the right one is shown.
  const ShownPanels right = shown_panels(layout, [](std::string_view id) { return id == "statistics"; }, {"gpu"});
  CHECK(right.left == "statistics");
  CHECK(right.right.empty());
  layout.drawer = false;
  CHECK(shown_panels(layout, all_have_data, {}).left.empty());
  CHECK(shown_panels(layout, all_have_data, {}).side == "kernels");
}

TEST_CASE("panel layout: an invalid layout is repaired") {
  PanelLayout layout;
  layout.left = layout.right = layout.side = "cdf";
  layout.own = {{"cdf"}, {"gpu", -9, 9, 4, 0}, {"gpu"}, {""}};
  layout.drawer_share = 7;
  const PanelLayout tidy = tidy_panels(layout);
  CHECK(placed(tidy) == std::multiset<std::string>{"cdf", "gpu"});
  CHECK(tidy.drawer_share < 1);
  CHECK(tidy.own[0].x + tidy.own[0].width > 0);
  CHECK(tidy_panels(tidy) == tidy);
}

TEST_CASE("panel layout: no sequence of changes puts a panel in two places or a window out of reach") {
  for (const std::uint64_t seed : test::seeds(5)) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const std::vector<std::string> ids = {"details", "statistics", "cdf", "blame", "gpu"};
    const auto up_to = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    PanelLayout layout;
    for (int i = 0; i < 600; ++i) {
      const std::string id = ids[up_to(ids.size())];
      switch (up_to(4)) {
        case 0: show_panel(layout, id); break;
        case 1:
        case 2: {
          const auto place = static_cast<PanelPlace>(up_to(4));
          move_panel(layout, id, place);
          REQUIRE(place_of(layout, id) == place);
          break;
        }
        default: {
          close_panel(layout, id);
          set_own_panel(layout, {id, static_cast<float>(up_to(9)) - 4.0f, static_cast<float>(up_to(9)) - 4.0f, 3, 0.01f});
          break;
        }
      }
      REQUIRE(none_twice(placed(layout)));
      for (const OwnPanel& own : layout.own) {
        REQUIRE(own.x < 1);
        REQUIRE(own.x + own.width > 0);
        REQUIRE(own.y >= 0);
        REQUIRE(own.y < 1);
      }
      const ShownPanels shown = shown_panels(layout, all_have_data, {"statistics", "details", "problems", "metrics", "turns"});
      REQUIRE(shown.left.empty() == !layout.drawer);
      PanelLayout as_shown{shown.left, shown.right, shown.side, shown.own};
      REQUIRE(none_twice(placed(as_shown)));
    }
  }
}
