// Uses a chart in an offscreen window with the mouse, and draws charts as PNG.
#include "ui/widgets/chart_view.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/stage/window_offscreen.h"
#include "app/verbs/chart_png.h"
#include "tests/support/sample_charts.h"
#include "tests/support/skip.h"
#include "tests/support/temp_dir.h"
#include "ui/widgets/chart_draw.h"

using namespace tv;
using namespace tv::test;

namespace {

const ImVec2 kAt{20, 30};
const ImVec2 kSize{760, 400};

struct ImGuiOwner {
  ImGuiOwner() { ImGui::CreateContext(); }
  ~ImGuiOwner() { ImGui::DestroyContext(); }
  ImGuiOwner(const ImGuiOwner&) = delete;
  ImGuiOwner& operator=(const ImGuiOwner&) = delete;
};

// One chart in one window, frame by frame. Positions are in the picture.
struct Bench {
  explicit Bench(Chart chart_in) : chart(std::move(chart_in)), io(keys, {800, 600}) {
    fonts.build();
    apply_style(theme);
    frame();
    frame();
  }
  ChartAction frame() {
    io.new_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({800, 600});
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    ImGui::SetCursorPos(kAt);
    const ChartAction action = view.draw("chart", chart, version, kSize, theme);
    if (below > 0) ImGui::Dummy({10, below});
    scrolled = ImGui::GetScrollY();
    ImGui::End();
    ImGui::Render();
    return action;
  }
  ChartAction move(float x, float y) {
    io.move_mouse({kAt.x + x, kAt.y + y});
    return frame();
  }
  ChartAction press() {
    io.press_mouse(0);
    return frame();
  }
  ChartAction release() {
    io.release_mouse(0);
    return frame();
  }
  ChartAction click(float x, float y) {
    move(x, y);
    press();
    return release();
  }
  void zoom(float notches) {
    io.press_key(Key::Ctrl);
    io.turn_wheel(notches);
    frame();
    io.release_key(Key::Ctrl);
  }
  const ChartPicture& picture() const { return view.picture(); }

  ImGuiOwner imgui;
  Keys keys;
  Fonts fonts;
  Theme theme = make_theme(ThemeKind::Dark, 1);
  Chart chart;
  HeadlessIo io;
  ChartView view;
  std::uint64_t version = 1;
  float below = 0, scrolled = 0;  // px: the content below the chart, and how far the window is scrolled
};

Chart sample(std::string_view id) {
  for (Chart& chart : sample_charts()) {
    if (chart.id == id) return std::move(chart);
  }
  return {};
}

bool tooltip_shown() {
  const auto& windows = *ImGui::GetDrawData();
  return windows.CmdListsCount > 1;  // the window's and the tooltip's
}

}  // namespace

TEST_CASE("chart_view: bars are hovered and clicked where they are drawn") {
  Bench bench(sample("phases_per_step"));
  const ChartHit& hit = bench.picture().hits[75];
  const float x = (hit.box.x0 + hit.box.x1) / 2, y = (hit.box.y0 + hit.box.y1) / 2;
  ChartAction action = bench.move(x, y);
  CHECK(action.hovered == hit.target);
  CHECK(!action.clicked);
  bench.frame();  // ImGui shows a tooltip from its second frame on
  CHECK(tooltip_shown());
  action = bench.click(x, y);
  CHECK(action.clicked == hit.target);
  CHECK(action.clicked->kind == ChartTarget::Kind::Step);
  CHECK(!bench.frame().clicked);

  action = bench.move(2, 2);  // outside the plot
  CHECK(!action.hovered);
  CHECK(!tooltip_shown());
}

TEST_CASE("chart_view: dragging along an axis with a field brushes, a click elsewhere clears") {
  Bench bench(sample("cdf"));
  const ChartBox plot = bench.picture().plot;
  const float y = plot.y0 + 20, from = plot.x0 + 100, to = plot.x0 + 300;
  bench.move(to, y);
  bench.press();
  CHECK(!bench.frame().brush);
  ChartAction action = bench.move(from, y);  // to the left: the low end still comes first
  CHECK(action.brushing);
  REQUIRE(action.brush);
  CHECK(action.brush->x->first == doctest::Approx(bench.picture().x.value(from)));
  CHECK(action.brush->x->second == doctest::Approx(bench.picture().x.value(to)));
  action = bench.move(-500, y);  // beyond the end of the axis
  CHECK(action.brush->x->first == doctest::Approx(bench.picture().x.low()));
  action = bench.release();
  CHECK(action.brush_ended);
  CHECK(!action.brushing);
  CHECK(action.brush);
  action = bench.frame();
  CHECK(!action.brush_ended);
  CHECK(action.brush);
  action = bench.click(plot.x1 - 5, plot.y0 + 5);
  CHECK(action.brush_cleared);
  CHECK(!action.brush);
  CHECK(!action.clicked);
}

TEST_CASE("chart_view: a brush over categories selects whole ones") {
  Bench bench(sample("phases_per_step"));
  const ChartPicture& picture = bench.picture();
  bench.move(picture.x.px(10.2), picture.plot.y0 + 5);
  bench.press();
  bench.move(picture.x.px(14.8), picture.plot.y0 + 5);
  const ChartAction action = bench.release();
  REQUIRE(action.brush.has_value());
  CHECK(action.brush->x == std::pair(9.5, 15.5));
}

TEST_CASE("chart_view: if both axes have fields, a drag brushes a box, with Shift a lasso") {
  Chart chart = sample("cdf");
  chart.y.field = "turns";
  Bench bench(chart);
  const ChartBox plot = bench.picture().plot;
  const auto x_at = [&](float px) { return doctest::Approx(bench.picture().x.value(px)); };
  const auto y_at = [&](float px) { return doctest::Approx(bench.picture().y.value(px)); };
  bench.move(plot.x0 + 100, plot.y0 + 30);
  bench.press();
  bench.move(plot.x0 + 60, plot.y0 + 80);
  ChartAction action = bench.release();
  REQUIRE(action.brush);
  CHECK(action.brush->x->first == x_at(plot.x0 + 60));
  CHECK(action.brush->x->second == x_at(plot.x0 + 100));
  CHECK(action.brush->y->first == y_at(plot.y0 + 80));
  CHECK(action.brush->y->second == y_at(plot.y0 + 30));

  bench.io.press_key(Key::Shift);
  bench.move(plot.x0 + 20, plot.y0 + 20);
  bench.press();
  for (const auto& [x, y] : {std::pair(120.0f, 20.0f), {120.0f, 120.0f}, {20.0f, 120.0f}}) {
    bench.move(plot.x0 + x, plot.y0 + y);
  }
  bench.move(plot.x0 + 20.5f, plot.y0 + 120);  // not far enough for a corner
  action = bench.release();
  CHECK(action.brush_ended);
  REQUIRE(action.brush);
  CHECK_FALSE(action.brush->x);
  REQUIRE(action.brush->lasso.size() == 4);
  CHECK(action.brush->lasso[2].first == x_at(plot.x0 + 120));
  CHECK(action.brush->lasso[2].second == y_at(plot.y0 + 120));
}

TEST_CASE("chart_view: a click with Ctrl narrows to the clicked mark, a plain click does not") {
  Bench bench(sample("phases_per_step"));
  const ChartHit hit = bench.picture().hits[75];
  const float x = (hit.box.x0 + hit.box.x1) / 2, y = (hit.box.y0 + hit.box.y1) / 2;
  CHECK_FALSE(bench.click(x, y).narrow);
  bench.io.press_key(Key::Ctrl);
  const ChartAction action = bench.click(x, y);
  REQUIRE(action.clicked);
  CHECK(action.narrow);
}

TEST_CASE("chart_view: an axis without a field has no brush") {
  Bench bench(sample("workers"));
  bench.move(200, 200);
  bench.press();
  CHECK(!bench.move(400, 200).brushing);
  CHECK(!bench.release().brush);
}

TEST_CASE("chart_view: over a plot the wheel scrolls the window, and zooms only with Ctrl") {
  Bench bench(sample("workers"));
  bench.below = 2000;
  bench.move(bench.picture().plot.x0 + 200, bench.picture().plot.y0 + 50);
  bench.io.turn_wheel(-3);
  bench.frame();
  bench.frame();
  CHECK(!bench.view.zoomed());
  const float scrolled = bench.scrolled;
  CHECK(scrolled > 0);
  bench.io.press_key(Key::Ctrl);
  bench.io.turn_wheel(3);
  bench.frame();
  bench.frame();
  CHECK(bench.view.zoomed());
  CHECK(bench.scrolled == scrolled);
}

TEST_CASE("chart_view: Ctrl and wheel zoom at the mouse, dragging pans, a double click shows everything") {
  Bench bench(sample("workers"));
  const float x = bench.picture().plot.x0 + 200, y = bench.picture().plot.y0 + 50;
  const double before = bench.picture().x.value(x);
  bench.move(x, y);
  bench.zoom(3);
  CHECK(bench.view.zoomed());
  CHECK(bench.picture().x.high() - bench.picture().x.low() < 7);
  const float px = bench.picture().x.px(before);
  CHECK(px == doctest::Approx(x).epsilon(0.01));  // the value under the mouse stays there

  bench.press();
  bench.move(x + 50, y);
  bench.move(x + 60, y);
  bench.release();
  CHECK(bench.picture().x.px(before) > px + 20);

  bench.zoom(-20);
  CHECK(!bench.view.zoomed());
  bench.zoom(2);
  CHECK(bench.view.zoomed());
  for (int i = 0; i < 40; ++i) bench.frame();  // not the second half of an earlier double click
  bench.press();
  bench.release();
  bench.press();
  bench.release();
  CHECK(!bench.view.zoomed());
}

TEST_CASE("chart_view: the legend switches series off and on") {
  Bench bench(sample("phases_per_step"));
  REQUIRE(bench.picture().legend.size() == 6);
  const ChartLegendEntry entry = bench.picture().legend[1];
  const std::size_t all = bench.picture().hits.size();
  const double high = bench.picture().y.high();
  bench.click(entry.box.x0 + 5, entry.box.y0 + 5);
  bench.frame();
  CHECK(!bench.view.shows(1));
  CHECK(bench.picture().hits.size() == all - 150);
  CHECK(bench.picture().y.high() < high);
  REQUIRE(bench.picture().legend.size() == 6);
  bench.click(entry.box.x0 + 5, entry.box.y0 + 5);
  bench.frame();
  CHECK(bench.view.shows(1));
  CHECK(bench.picture().hits.size() == all);
}

TEST_CASE("chart_view: a line has tooltips between its points, and a chart with another id starts afresh") {
  Bench bench(sample("cdf"));
  const ChartBox plot = bench.picture().plot;
  bench.move(plot.x0 + plot.width() / 2, plot.y0 + 40);
  bench.frame();
  CHECK(tooltip_shown());
  bench.view.set_brush(ChartBrush{std::pair(1.0, 2.0), {}, {}});
  CHECK(bench.frame().brush);
  bench.chart = sample("nothing");
  ++bench.version;
  CHECK(!bench.frame().brush);
  CHECK(!tooltip_shown());
  CHECK(bench.picture().plot.width() == 0);
}

TEST_CASE("chart_view: odd data can be hovered, clicked, dragged and zoomed") {
  Bench bench(Chart{});
  for (Chart& chart : odd_charts()) {
    bench.chart = std::move(chart);
    bench.chart.x.field = "x";
    ++bench.version;
    bench.frame();
    bench.click(300, 200);
    bench.press();
    bench.move(500, 150);
    bench.zoom(5);
    const ChartAction action = bench.release();
    if (action.brush) {
      CHECK(std::isfinite(action.brush->x->first));
      CHECK(action.brush->x->first <= action.brush->x->second);
    }
  }
}

TEST_CASE("chart_png: bars have their colours at both scales and in both themes") {
  auto printer = ChartPrinter::create();
  if (!printer) return skip(printer.error().text());
  Chart chart;
  chart.title = "two bars";
  chart.x.categories = {"a", "b"};
  for (int s = 0; s < 2; ++s) {
    ChartSeries bars;
    bars.mark = ChartSeries::Mark::Bars;
    bars.color = s;
    bars.x = {0, 1};
    bars.y = {1, 2};
    chart.series.push_back(bars);
  }
  for (const float scale : {1.0f, 2.0f}) {
    for (const ThemeKind theme : {ThemeKind::Dark, ThemeKind::Light}) {
      auto image = printer->picture(chart, {300, 200, scale, theme});
      REQUIRE(image.ok());
      CHECK(image->width == 300 * scale);
      CHECK(image->height == 200 * scale);
      const auto count = [&](Rgba color) { return std::count(image->pixels.begin(), image->pixels.end(), color); };
      const auto bar = count(chart_color(0, theme));
      CHECK(bar > 3000 * scale * scale);
      CHECK(std::abs(bar - count(chart_color(1, theme))) < bar / 20);  // equally high
      CHECK(count(chart_ink(theme).background) > 10'000 * scale * scale);
      CHECK(image->at(0, 0) == chart_ink(theme).background);
    }
  }
}

TEST_CASE("chart_draw: a line is as wide at its peaks as between them") {
  constexpr Rgba kWhite = rgba(255, 255, 255), kRed = rgba(255, 0, 0);
  Keys keys;
  Fonts fonts;
  auto window = OffscreenWindow::create({800, 320}, keys, fonts);
  if (!window) return skip(window.error().text());
  // Peaks up and down, 2, 9 and 30 pixels apart.
  ChartPicture picture;
  picture.width = 800;
  picture.height = 320;
  picture.font = 15;
  float x = 20;
  for (int k = 0; k < 40; ++k) {
    picture.points.push_back({x, k % 2 == 0 ? 300.5f : 20.5f});
    x += k < 10 ? 2.0f : k < 20 ? 9.0f : 30.0f;
  }
  picture.shapes.resize(2);
  picture.shapes[1].kind = ChartShape::Kind::Line;
  picture.shapes[1].color = kRed;
  picture.shapes[1].count = static_cast<std::uint32_t>(picture.points.size());
  for (const float size : {2.0f, 4.0f}) {
    CAPTURE(size);
    picture.shapes[1].size = size;
    Image image;
    for (int i = 0; i < 2; ++i) {
      window->begin_frame();
      draw_chart(*ImGui::GetBackgroundDrawList(), picture, {0, 0});
      window->end_frame(kWhite);
    }
    image = window->screenshot();
    const auto covered = [&](int px, int py) { return 1 - static_cast<double>(image.at(px, py) >> 8 & 255) / 255; };
    for (std::size_t k = 0; k + 1 < picture.points.size(); ++k) {
      const ChartPoint a = picture.points[k], b = picture.points[k + 1];
      for (int part = 1; part < 20; ++part) {
        const float at_x = a.x + (b.x - a.x) * static_cast<float>(part) / 20,
                    at_y = a.y + (b.y - a.y) * static_cast<float>(part) / 20;
        double across = 0;
        for (int px = static_cast<int>(at_x) - 4; px <= static_cast<int>(at_x) + 4; ++px)
          across += covered(px, static_cast<int>(at_y));
        CAPTURE(k);
        CAPTURE(part);
        CHECK(across >= static_cast<double>(size) * 0.8);
      }
      if (k > 0) CHECK(covered(static_cast<int>(a.x - 0.5f), static_cast<int>(a.y)) > 0.6);  // the tip
    }
  }
}

TEST_CASE("chart_png: sample charts are written to files, and an impossible path is an error") {
  auto printer = ChartPrinter::create();
  if (!printer) return skip(printer.error().text());
  const TempDir folder;
  for (const Chart& chart : sample_charts()) {
    CAPTURE(chart.id);
    REQUIRE(printer->print(chart, {500, 300}, folder.path(chart.id + ".png")).ok());
    CHECK(read_file(folder.path(chart.id + ".png")).size() > 2000);
  }
  const auto refused = printer->print(Chart(), {}, folder.path("no/such/folder.png"));
  REQUIRE(!refused.ok());
  CHECK(refused.error().file.ends_with("folder.png"));
}
