// Writes the sample charts as PNG (1x and 2x, dark and light) and SVG, to look at, and prints what they cost.
//   bench_charts FOLDER
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "app/stage/png.h"
#include "app/verbs/chart_png.h"
#include "core/view/picture/chart_svg.h"
#include "tests/support/sample_charts.h"
#include "ui/widgets/chart_view.h"

using namespace tv;
using Clock = std::chrono::steady_clock;

namespace {

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// Writes a picture of the widget in use: the mouse is on the chart, and a stretch of x is brushed if the chart has values on x.
void hovered(const std::filesystem::path& folder, const Chart& chart, ThemeKind kind, float part_x, float part_y) {
  Keys keys;
  Fonts fonts;
  auto window = OffscreenWindow::create({900, 460}, keys, fonts);
  if (!window) return;
  const Theme theme = make_theme(kind, 1);
  apply_style(theme);
  ChartView view;
  const auto frame = [&] {
    window->begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({900, 460});
    ImGui::Begin("chart", nullptr, ImGuiWindowFlags_NoDecoration);
    view.draw("chart", chart, 1, ImGui::GetContentRegionAvail(), theme);
    ImGui::End();
    window->end_frame(theme.panel);
  };
  frame();
  if (!chart.x.field.empty()) {
    view.set_brush(ChartBrush{std::pair(view.picture().x.value(500), view.picture().x.value(640)), {}, {}});
  }
  const ChartBox plot = view.picture().plot;
  window->io().move_mouse({10 + plot.x0 + plot.width() * part_x, 8 + plot.y0 + plot.height() * part_y});
  for (int i = 0; i < 3; ++i) frame();
  (void)write_png(folder / (chart.id + "_hovered.png"), window->screenshot());
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "charts";
  std::filesystem::create_directories(folder);
  {  // before the printer: one ImGui context at a time
    const std::vector<Chart> all = test::sample_charts();
    hovered(folder, all[0], ThemeKind::Dark, 0.55f, 0.5f);
    hovered(folder, all[2], ThemeKind::Light, 0.3f, 0.8f);
  }
  auto printer = ChartPrinter::create();
  if (!printer) {
    fmt::print(stderr, "{}\n", printer.error().text());
    return 1;
  }
  fmt::print("{:<18} {:>10} {:>10} {:>10} {:>10}\n", "chart", "model ms", "svg ms", "draw ms", "png ms");
  (void)printer->picture(Chart(), {});  // fonts
  const std::vector<Chart> charts = test::sample_charts();
  for (const Chart& chart : charts) {
    ChartFrame frame{1000, 560};
    frame.theme = ThemeKind::Light;
    frame.note_below = true;
    auto begin = Clock::now();
    const ChartPicture picture = chart_picture(chart, frame);
    const double model = ms_since(begin);
    begin = Clock::now();
    const std::string text = chart_svg(picture, chart.id);
    const double svg = ms_since(begin);
    std::ofstream(folder / (chart.id + ".svg")) << text;
    begin = Clock::now();
    (void)printer->picture(chart, {1000, 560, 1, ThemeKind::Light});
    const double draw = ms_since(begin);
    begin = Clock::now();
    if (auto printed = printer->print(chart, {1000, 560, 1, ThemeKind::Light}, folder / (chart.id + "_light.png"));
        !printed) {
      fmt::print(stderr, "{}\n", printed.error().text());
      return 1;
    }
    fmt::print("{:<18} {:>10.2f} {:>10.2f} {:>10.1f} {:>10.1f}\n", chart.id, model, svg, draw, ms_since(begin));
    (void)printer->print(chart, {1000, 560, 1, ThemeKind::Dark}, folder / (chart.id + "_dark.png"));
    (void)printer->print(chart, {480, 260, 1, ThemeKind::Dark}, folder / (chart.id + "_small.png"));
  }
  for (const Chart& chart : charts)
    (void)printer->print(chart, {1000, 560, 2, ThemeKind::Light}, folder / (chart.id + "_2x.png"));
  return 0;
}
