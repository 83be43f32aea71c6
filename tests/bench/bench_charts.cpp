// The sample charts as PNG (1x and 2x, dark and light) and SVG, to look at, and what they cost.
//   bench_charts FOLDER
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "app/chart_png.h"
#include "core/view/chart_svg.h"
#include "tests/support/sample_charts.h"

using namespace tv;
using Clock = std::chrono::steady_clock;

namespace {

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "charts";
  std::filesystem::create_directories(folder);
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
