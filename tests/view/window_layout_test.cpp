// The parts of the window: the lanes keep their share, nothing overlaps, everything is inside.
#include "core/view/panels/window_layout.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "tests/support/gen_trace.h"

using namespace tv;

namespace {

ShownPanels shown_of(const PanelLayout& layout) {
  return shown_panels(layout, [](std::string_view) { return true; }, {"statistics"});
}

std::vector<WindowBox> parts_of(const WindowLayout& all) {
  return {all.top, all.tabs, all.steps, all.minimap, all.timeline, all.splitter, all.bar, all.left, all.divider, all.right, all.side_edge,
          all.side, all.status};
}

void check_tiles(const WindowParts& window, const WindowLayout& all) {
  const std::vector<WindowBox> parts = parts_of(all);
  float covered = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const WindowBox& a = parts[i];
    if (a.empty()) continue;
    covered += a.width * a.height;
    REQUIRE(a.x >= 0);
    REQUIRE(a.y >= 0);
    REQUIRE(a.right() <= window.width);
    REQUIRE(a.bottom() <= window.height);
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      const WindowBox& b = parts[j];
      if (b.empty()) continue;
      const bool apart = a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y;
      REQUIRE(apart);
    }
  }
  CHECK(covered == doctest::Approx(window.width * window.height));
}

}  // namespace

TEST_CASE("window layout: by default the lanes keep three fifths of the height on a laptop screen") {
  PanelLayout layout;
  for (const std::string right : {"", "details"}) {
    layout.right = right;
    for (const float scale : {1.0f, 1.5f, 2.0f}) {
      for (const bool steps : {false, true}) {
        const WindowParts window{1366 * scale, 768 * scale, scale, false, steps};
        const WindowLayout all = window_layout(window, layout, shown_of(layout));
        CHECK(all.timeline.height >= 0.6f * all.working.height);
        CHECK(all.left.height >= 180 * scale);
        check_tiles(window, all);
      }
    }
  }
}

TEST_CASE("window layout: showing a panel does not move the bar, and lanes give up height they do not need") {
  PanelLayout layout;
  const WindowParts window{1366, 768, 1, false, true};
  const WindowLayout before = window_layout(window, layout, shown_of(layout));
  for (const std::string_view id : {"cdf", "details", "problems"}) {
    show_panel(layout, id);
    CHECK(window_layout(window, layout, shown_of(layout)).bar.y == before.bar.y);
  }
  layout.right = "details";
  const WindowLayout halves = window_layout(window, layout, shown_of(layout));
  CHECK(halves.bar.y == before.bar.y);
  CHECK(halves.timeline.height == before.timeline.height);
  WindowParts few = window;
  few.lanes_px = 200;
  const WindowLayout beside_few = window_layout(few, layout, shown_of(layout));
  CHECK(beside_few.timeline.height == 200);
  CHECK(beside_few.left.height > halves.left.height * 1.5f);
  few.lanes_px = 10;
  CHECK(window_layout(few, layout, shown_of(layout)).timeline.height > 0.2f * halves.working.height);
  few.lanes_px = 2000;  // more than there is room for
  CHECK(window_layout(few, layout, shown_of(layout)).timeline.height == halves.timeline.height);
  few.lanes_px = 200;
  set_panel_size(layout, PanelSize::Drawer, 0.3f);
  CHECK(window_layout(few, layout, shown_of(layout)).timeline.height > 0.6f * halves.working.height);
}

TEST_CASE("window layout: the halves are side by side if there is room, else one is in front") {
  PanelLayout layout;
  layout.right = "details";
  const WindowLayout wide = window_layout({1024, 600, 1, true, false}, layout, shown_of(layout));
  CHECK(!wide.one_half);
  CHECK(wide.right.width >= 380);
  const WindowParts narrow{640, 400, 1, false, true};
  WindowLayout one = window_layout(narrow, layout, shown_of(layout));
  CHECK(one.one_half);
  CHECK(one.left.width == 640);
  CHECK(one.right.empty());
  layout.right_in_front = true;
  one = window_layout(narrow, layout, shown_of(layout));
  CHECK(one.left.empty());
  CHECK(one.right.width == 640);
}

TEST_CASE("window layout: the smallest window still has lanes, a panel and a side panel") {
  PanelLayout layout;
  const WindowParts window{kLeastWindowWidth, kLeastWindowHeight, 1, false, true};
  const WindowLayout all = window_layout(window, layout, shown_of(layout));
  CHECK(all.timeline.height >= 120);
  CHECK(all.left.height >= 90);
  layout.side = "kernels";
  const WindowLayout with_side = window_layout(window, layout, shown_of(layout));
  CHECK(with_side.side.width >= 220);
  CHECK(with_side.timeline.width >= 300);
}

TEST_CASE("window layout: parts tile the window without overlap, for any panel sizes and window size") {
  for (const std::uint64_t seed : test::seeds(5)) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto between = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); };
    for (int i = 0; i < 100; ++i) {
      PanelLayout layout;
      layout.right = between(0, 1) ? "details" : "";
      layout.side = between(0, 1) ? "cdf" : "";
      layout.drawer = between(0, 4) > 0;
      set_panel_size(layout, PanelSize::Drawer, static_cast<float>(between(-10, 110)) / 100);
      set_panel_size(layout, PanelSize::Left, static_cast<float>(between(-10, 110)) / 100);
      set_panel_size(layout, PanelSize::Side, static_cast<float>(between(-10, 110)) / 100);
      const WindowParts window{static_cast<float>(between(640, 4000)), static_cast<float>(between(400, 2400)),
                               static_cast<float>(between(2, 4)) / 2, between(0, 1) == 1, between(0, 1) == 1,
                               static_cast<float>(between(0, 2) * between(1, 800))};
      const WindowLayout all = window_layout(window, layout, shown_of(layout));
      check_tiles(window, all);
      CHECK(all.timeline.height >= 1);
    }
  }
}
