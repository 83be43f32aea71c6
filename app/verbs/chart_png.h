// Draws charts into PNG files, with the code of the window but without a display. All charts of a report share one GL context and
// one font atlas.
//
//   auto printer = ChartPrinter::create();
//   printer->print(chart, {1000, 560, 2, ThemeKind::Light}, "cdf.png");
//
// create() makes a new ImGui context current, so do not use it on a thread that has a window. Cost with a software driver,
// 1000 x 560: 7 - 30 ms to draw, 0.1 - 0.2 s to compress (bench_charts). Fonts are rebuilt when the scale changes.
#pragma once

#include <filesystem>
#include <memory>

#include "app/stage/window_offscreen.h"
#include "core/view/chart/chart.h"
#include "core/view/color/palette.h"

namespace tv {

struct ChartPrint {
  int width = 1000, height = 560;  ///< at scale 1
  float scale = 1;                 ///< at 2, the picture has twice the width and height and everything is twice as large
  ThemeKind theme = ThemeKind::Light;
  bool note = true;  ///< write the chart's note below the picture
};

class ChartPrinter {
 public:
  static Result<ChartPrinter> create();
  ChartPrinter(ChartPrinter&&) noexcept;
  ChartPrinter& operator=(ChartPrinter&&) noexcept;
  ~ChartPrinter();

  Result<Image> picture(const Chart& chart, const ChartPrint& print);
  Result<void> print(const Chart& chart, const ChartPrint& print, const std::filesystem::path& path);

 private:
  struct State;
  explicit ChartPrinter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tv
